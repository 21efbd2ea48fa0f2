/** Counts the turns of the event loop that other work gets, which does not depend on how busy the machine is. */
import { setImmediate } from 'node:timers'

/** @param work gets a function that returns the turns so far @returns its result, and the turns between its begin and its end */
export const countTurns = async <Result>(
  work: (turnsSoFar: () => number) => Promise<Result>,
): Promise<Readonly<{ result: Result; turns: number }>> => {
  let turns = 0
  let isOpen = true
  const turn = (): void => {
    turns += 1
    if (isOpen) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    const result = await work(() => turns)
    return { result, turns }
  } finally {
    isOpen = false
  }
}
