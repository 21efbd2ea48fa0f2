/**
 * Turns of the event loop for long work in parts. Node runs everything that `setImmediate` has collected within one turn, so
 * parts of fifty requests that each wait for a turn of their own would still run in a row. Owners of work take turns, so that one
 * with hundreds of parts delays the next part of another by one of its parts.
 */
import { setImmediate } from 'node:timers/promises'
import { createFairTurns } from '#core/fairness/turns.ts'
import { currentReader } from '#store/read-owner.ts'

const turns = createFairTurns()

/** Waits for a turn of the event loop that no other work in parts of this process takes. */
export const takeTurn = (): Promise<void> => turns(currentReader(), () => setImmediate())
