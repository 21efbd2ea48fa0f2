/** Measures how long the event loop is blocked, in processor time, which does not depend on how busy the machine is. */
import { setImmediate } from 'node:timers'
import { cpuMs } from './cpu-time.ts'

/** @returns the processor time of the longest turn between the begin and the end of the work */
const longestTurnMs = async (work: () => Promise<unknown>): Promise<number> => {
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
    await work()
    turn()
    return ms
  } finally {
    isOpen = false
  }
}

const TRIES = 4

/**
 * The first try may compile code, take memory from the system or lengthen a file, and any may collect garbage.
 * @returns the least of several tries
 */
export const leastLongestTurnMs = async (
  work: (at: number) => Promise<unknown>,
): Promise<number> => {
  const all: number[] = []
  for (let at = 0; at < TRIES; at += 1) all.push(await longestTurnMs(() => work(at)))
  return Math.min(...all)
}
