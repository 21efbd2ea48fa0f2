/**
 * Turns of the event loop for long work in parts. Node runs everything that `setImmediate` has collected within one turn, so
 * parts of fifty requests that each wait for a turn of their own would still run in a row.
 */
import { setImmediate } from 'node:timers/promises'

let lastTurn: Promise<void> = Promise.resolve()

/** Waits for a turn of the event loop that no other work in parts of this process takes. */
export const takeTurn = (): Promise<void> => {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}
