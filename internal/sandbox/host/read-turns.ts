/**
 * Shares the event loop among the guests that write. In one iteration of the loop all guests together are read for at
 * most one slice; a guest with more output waits for a later iteration, in turn. Requests, timers and the database run in
 * between, so that no guest, and no number of guests, can stop them by writing fast.
 */
// not the global one: it belongs to the process, and a test that stops the clock in between must not stop all guests for good
import { setImmediate } from 'node:timers'

/** How long reading may take in one iteration of the event loop, in milliseconds. */
export const SLICE_MS = 4

/**
 * Reads what a guest has written, for as long as `mayGoOn` returns true. It must make some progress when the first answer
 * is true. @returns true when there is more to read
 */
export type Turn = (mayGoOn: () => boolean) => boolean

export interface Turns {
  /** Runs the turn now when no guest waits and the slice is not used up, else in a later iteration. */
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
  // a Set keeps the order of requests, and each guest once
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
      // also when nothing waits: the next iteration begins with a whole slice
      schedule()
      if (waiting.size === 0 && leftMs > 0) take(turn)
      else waiting.add(turn)
    },
  }
}

/** One for the process, which has one event loop. */
export const guestTurns = createTurns({
  now: () => performance.now(),
  nextIteration: (callback) => void setImmediate(callback),
})
