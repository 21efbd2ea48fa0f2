/**
 * Lets the event loop run between pieces of work on large values. Opening, sealing and checking a run's data must not hold
 * up other requests, however many children end at once.
 */
import { setImmediate } from 'node:timers/promises'

/** Characters that are sealed, opened or checked in one go: some milliseconds. */
const MOST_IN_A_ROW = 524_288

/** One event loop, one queue: fifty pieces that become due together still take a turn each. */
let lastTurn: Promise<void> = Promise.resolve()

const takeTurn = (): Promise<void> => {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}

/** @param weight of the work just done, in characters */
export type Pace = (weight: number) => Promise<void>

/** Creates what yields to the event loop after so many characters of work. */
export const createPace = (): Pace => {
  let done = 0
  return async (weight) => {
    done += weight
    if (done < MOST_IN_A_ROW) return
    done = 0
    await takeTurn()
  }
}
