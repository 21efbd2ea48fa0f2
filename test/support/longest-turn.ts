/** Measures how long the event loop is blocked, in processor time, which does not depend on how busy the machine is. */
import { setImmediate } from 'node:timers'
import { cpuMs } from './cpu-time.ts'

const LOOK_MS = 5

/**
 * Watches turns beside work of other processes, which the exact measurement below would slow down: it fills every turn.
 * @returns stops, and returns the most processor time between two looks
 */
export const watchTurns = (): (() => number) => {
  let ms = 0
  let before = cpuMs()
  const look = (): void => {
    const now = cpuMs()
    ms = Math.max(ms, now - before)
    before = now
  }
  const timer = setInterval(look, LOOK_MS)
  return () => {
    clearInterval(timer)
    look()
    return ms
  }
}

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
/** The time that most tests ask for. */
const ENOUGH_MS = 50

export type TurnOptions = Readonly<{
  /** No further try after one whose longest turn is shorter; 0 for all tries. @default 50 */
  enoughMs?: number
  /** Before each try. Not measured. */
  prepare?: (at: number) => Promise<unknown>
}>

/**
 * The first try may compile code, take memory from the system or lengthen a file, and any may collect garbage.
 * @returns the least of several tries
 */
export const leastLongestTurnMs = async (
  work: (at: number) => Promise<unknown>,
  { enoughMs = ENOUGH_MS, prepare = async () => undefined }: TurnOptions = {},
): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < TRIES && least >= enoughMs; at += 1) {
    await prepare(at)
    least = Math.min(least, await longestTurnMs(() => work(at)))
  }
  return least
}
