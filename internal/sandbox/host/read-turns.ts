/**
 * Shares the event loop among the guests that write. In one iteration of the loop, all guests together are read
 * for at most one slice. A guest with more output waits for its turn in a later iteration. Requests, timers and
 * the database run in between, so that no number of guests can block them by writing fast.
 */
// not the global one: a test that fakes the global timers would stop the reading of all guests for good
import { setImmediate } from 'node:timers'

/** How long reading may take in one iteration of the event loop, in milliseconds. */
export const SLICE_MS = 4

/**
 * Reads what a guest has written, for as long as `mayGoOn` returns true. If its first result is
 * true, the turn must make some progress. @returns true if there is more to read
 */
export type Turn = (mayGoOn: () => boolean) => boolean

export interface Turns {
  /** Runs the turn now if no guest waits and the slice is not used up, otherwise in a later iteration. */
  request(turn: Turn): void
}

export type TurnsOptions = Readonly<{
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** Calls back in the next iteration of the event loop. */
  nextIteration: (callback: () => void) => void
}>

/** Divides the time of the event loop between guests that have output. */
export const createTurns = ({ now, nextIteration }: TurnsOptions): Turns => {
  // a Set keeps the order of requests, and contains each guest once
  const waiting = new Set<Turn>()
  let leftMs = SLICE_MS
  let isScheduled = false

  const take = (turn: Turn): void => {
    const startedAt = now()
    const until = startedAt + leftMs
    const hasMore = turn(() => now() < until)
    leftMs -= now() - startedAt
    if (hasMore) waiting.add(turn)
  }

  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    nextIteration(() => {
      isScheduled = false
      leftMs = SLICE_MS
      for (const turn of waiting) {
        if (leftMs <= 0) break
        waiting.delete(turn)
        take(turn)
      }
      if (waiting.size > 0) schedule()
    })
  }

  return {
    request: (turn) => {
      // even when nothing waits, because the next iteration begins with a full slice
      schedule()
      if (waiting.size === 0 && leftMs > 0) take(turn)
      else waiting.add(turn)
    },
  }
}

/** Shared by the whole process, which has one event loop. */
export const guestTurns = createTurns({
  now: () => performance.now(),
  nextIteration: (callback) => void setImmediate(callback),
})
