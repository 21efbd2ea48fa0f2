/**
 * Lets the event loop run between pieces of work on large values. Decrypting, encrypting and checking the data of runs and
 * inputs must not delay other requests, however many children end at once.
 */
import { takeTurn } from './take-turn.ts'

/** Characters that are processed in one go, which takes a few milliseconds. */
export const MOST_IN_A_ROW = 524_288
/** A piece takes as long as so many characters, in addition to its own. Encrypting a short text takes about 10 µs. */
const PIECE_COST = 1_000

/** @param characters of the work just done */
export type Pace = (characters: number) => Promise<void>

/** Creates a function that yields to the event loop after a certain amount of work. */
export const createPace = (): Pace => {
  let done = 0
  return async (characters) => {
    done += PIECE_COST + characters
    if (done < MOST_IN_A_ROW) return
    done = 0
    await takeTurn()
  }
}
