/** Measures how long the event loop is blocked, in processor time, which does not depend on how busy the machine is. */
import { setImmediate } from 'node:timers'
import { cpuMs } from './cpu-time.ts'

/** @returns the result of the work, and the processor time of the longest turn between its begin and its end */
export const longestTurnMs = async <Result>(
  work: () => Promise<Result>,
): Promise<Readonly<{ result: Result; ms: number }>> => {
  let ms = 0
  let isOpen = true
  let before = cpuMs()
  const turn = (): void => {
    const now = cpuMs()
    ms = Math.max(ms, now - before)
    before = now
    if (isOpen) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    const result = await work()
    turn()
    return { result, ms }
  } finally {
    isOpen = false
  }
}
