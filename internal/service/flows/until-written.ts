/** Repeats changes of a run that lose against concurrent ones. */
import { setTimeout } from 'node:timers/promises'

/** How often a transition is tried. If that is not enough, something is wrong. */
export const MAX_TRIES = 100

/** Builds the error of a transition that lost every attempt against another one. */
export const tooManyTries = (id: string): Error =>
  new Error(`The flow run ${id} is being changed all the time.`)

/** Waits for a random time, so that siblings that end together do not collide again. */
export const pauseAfter = (attempt: number): Promise<void> =>
  setTimeout(Math.random() * Math.min(attempt * 2, 20))

/**
 * Changes the run `id`.
 * @param change reads the run and writes once; returns false if another change was first
 * @throws {Error} every attempt lost
 */
export const untilWritten = async (id: string, change: () => Promise<boolean>): Promise<void> => {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    if (await change()) return
    await pauseAfter(attempt)
  }
  throw tooManyTries(id)
}
