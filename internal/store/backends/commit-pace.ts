/**
 * Decides when the next group of writes may be sent while others are in flight. Over a distant network, groups that wait for
 * each other would leave the server idle for a round trip. So the next group is sent in time to arrive when the server has
 * finished those before it.
 *
 * It guarantees: at most `MOST_UNDER_WAY` groups are in flight, and only one when a round trip takes less than a millisecond
 * or the connection does not keep their order. It learns from the answers how long the server needs, so that groups neither
 * leave the server idle nor queue up there, where no further batches could join them.
 */
import type { RemoteConnection } from './remote-connection.ts'

export type CommitPace = Readonly<{
  /** Milliseconds until a group may be sent; 0 if it may be sent at once, infinite until the next answer. */
  waitMs: () => number
  /** Returns how many of the waiting batches to send in one group. Over a distant network not all, so that groups overlap. */
  share: (waiting: number) => number
  /** Records that a group is sent. @returns a function to call once, when the group is answered or has failed */
  leave: (batches: number) => (end: 'answered' | 'failed') => void
}>

/** Sends one group at a time, with all waiting batches: for a local database, or a connection that does not keep order. */
export const oneAtATime = (): CommitPace => {
  let underWay = 0
  return {
    waitMs: () => (underWay === 0 ? 0 : Number.POSITIVE_INFINITY),
    share: (waiting) => waiting,
    leave: () => {
      underWay += 1
      return () => {
        underWay -= 1
      }
    },
  }
}

const MOST_UNDER_WAY = 8
/** Round trip in milliseconds below which waiting for the answer costs less than sending smaller groups. */
const LEAST_LATENCY_MS = 1
/** A smaller group costs the server about as much. */
const LEAST_SHARE = 8
/** Smaller groups cost the server more, so another one must save a tenth of the time. */
const LEAST_GAIN = 0.9
/** No server commits 64 batches faster. From 0 the estimate could not rise again. Milliseconds. */
const LEAST_SERVER_MS = 1
/** How far one answer may lower or raise the estimate of the server's time. */
const [FALL, RISE] = [13 / 16, 17 / 16]

/** Cost of a group relative to one of 64 batches. A sixth does not grow with the size: 1.2 of 7 ms. */
const relativeCost = (batches: number): number => (1 + (5 * batches) / 64) / 6

/** Lets groups overlap over a distant network. @param now milliseconds of a monotonic clock */
export const paceByLatency = (
  { latencyMs, keepsOrder }: Pick<RemoteConnection, 'latencyMs' | 'keepsOrder'>,
  now: () => number = () => performance.now(),
): CommitPace => {
  const underWay = new Set<object>()
  let batchesUnderWay = 0
  /** Estimate of the server's time for 64 batches. */
  let serverMs: number | null = null
  let answeredAt = Number.NEGATIVE_INFINITY
  /** When the server is expected to have answered the last group. */
  let freeAt = Number.NEGATIVE_INFINITY

  /** Estimates how long the server needs for this number of batches. */
  const serviceMs = (batches: number): number => (serverMs ?? 0) * relativeCost(batches)
  /** Returns the time until all batches are answered. The server handles groups one after another, and each needs a round trip. */
  const roundMs = (batches: number, parts: number): number => {
    const ms = serviceMs(batches / parts)
    return Math.max(parts * ms, latencyMs() + ms)
  }
  /** Returns the number of groups with which all batches take the least time. */
  const bestParts = (batches: number): number => {
    let best = { parts: 1, ms: roundMs(batches, 1) }
    for (let parts = 2; parts <= MOST_UNDER_WAY; parts += 1) {
      const ms = roundMs(batches, parts)
      if (ms < best.ms * LEAST_GAIN) best = { parts, ms }
    }
    return best.parts
  }
  const mayOverlap = (): boolean =>
    serverMs !== null && keepsOrder() && latencyMs() >= LEAST_LATENCY_MS
  /**
   * Low values count more than high ones: a busy event loop reads an answer late, and then the server seems slow. If it
   * seemed slower than it is, groups would be sent too seldom, and it would seem even slower.
   */
  const learn = (ms: number): void => {
    const bounded =
      serverMs === null ? ms : Math.min(Math.max(ms, serverMs * FALL), serverMs * RISE)
    serverMs = Math.max(bounded, LEAST_SERVER_MS)
  }

  return {
    waitMs: () => {
      if (underWay.size === 0) return 0
      if (!mayOverlap() || underWay.size >= MOST_UNDER_WAY) return Number.POSITIVE_INFINITY
      return Math.max(0, freeAt - latencyMs() - now())
    },
    share: (waiting) => {
      if (!mayOverlap()) return waiting
      const all = waiting + batchesUnderWay
      return Math.min(waiting, Math.max(Math.ceil(all / bestParts(all)), LEAST_SHARE))
    },
    leave: (batches) => {
      const self = {}
      const leftAt = now()
      const precededAt = freeAt
      underWay.add(self)
      batchesUnderWay += batches
      freeAt = Math.max(freeAt, leftAt + latencyMs()) + serviceMs(batches)
      return (end) => {
        underWay.delete(self)
        batchesUnderWay -= batches
        if (underWay.size === 0) freeAt = now()
        // the time until a request failed shows nothing about the server
        if (end === 'failed') return
        // the server began when the group had arrived and the previous group had ended, whose answer may have been read late
        const begunAt = Math.max(Math.min(answeredAt, precededAt), leftAt + latencyMs())
        learn(Math.max(now() - begunAt, 0) / relativeCost(batches))
        answeredAt = now()
      }
    },
  }
}
