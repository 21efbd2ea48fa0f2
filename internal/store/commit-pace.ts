/**
 * When the next group of writes may leave while others are under way. Over a distant network the server would be idle for a round trip
 * between two groups that wait for each other; so the next one leaves in time to arrive when the server has ended those before it.
 *
 * It guarantees: at most `MOST_UNDER_WAY` groups are under way, and one where the network takes less than a millisecond or keeps no
 * order. It learns how long the server needs from what it has answered, so that groups neither idle the server nor pile up there,
 * where they could take no company along.
 */
import type { RemoteConnection } from './remote-connection.ts'

export type CommitPace = Readonly<{
  /** Milliseconds until a group may leave; 0: now; infinite: behind the next answer. */
  waitMs: () => number
  /** How many of so many waiting batches leave in one group: over a distant network not all, so that the rest travels meanwhile. */
  share: (waiting: number) => number
  /** A group of so many batches leaves. @returns called once, when it is answered or has failed */
  leave: (batches: number) => (end: 'answered' | 'failed') => void
}>

/** One group at a time, with all that wait: for a database without a network, or one that keeps no order. */
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
/** Milliseconds of a round trip below which waiting for the answer costs less than smaller groups do. */
const LEAST_LATENCY_MS = 1
/** A smaller group costs the server about as much. */
const LEAST_SHARE = 8
/** The part of what a group costs that does not grow with it: 1.2 of 7 ms for 64, and more for smaller ones. */
const FIXED = 0.3
/** The weight of the newest answer in the averages. */
const NEWEST = 1 / 4

const mix = (average: number | null, value: number): number =>
  average === null ? value : average + (value - average) * NEWEST

/** @param now milliseconds of a monotonic clock */
export const paceByLatency = (
  { latencyMs, keepsOrder }: Pick<RemoteConnection, 'latencyMs' | 'keepsOrder'>,
  now: () => number = () => performance.now(),
): CommitPace => {
  const underWay = new Set<object>()
  let batchesUnderWay = 0
  let averageMs: number | null = null
  let averageBatches = 1
  let answeredAt = Number.NEGATIVE_INFINITY
  /** When the answer of the last group is expected. */
  let freeAt = Number.NEGATIVE_INFINITY

  /** How long the server needs for so many batches. */
  const serviceMs = (batches: number): number =>
    (averageMs ?? 0) * (FIXED + ((1 - FIXED) * batches) / averageBatches)
  /** In how many groups all batches go round fastest: the server takes one after the other, each is back after a round trip. */
  const bestParts = (batches: number): number => {
    let best = { parts: 1, roundMs: Number.POSITIVE_INFINITY }
    for (let parts = 1; parts <= MOST_UNDER_WAY; parts += 1) {
      const ms = serviceMs(batches / parts)
      const roundMs = Math.max(parts * ms, latencyMs() + ms)
      if (roundMs < best.roundMs) best = { parts, roundMs }
    }
    return best.parts
  }
  const isDistant = (): boolean => latencyMs() >= LEAST_LATENCY_MS && averageMs !== null

  return {
    waitMs: () => {
      if (underWay.size === 0) return 0
      if (!isDistant() || !keepsOrder() || underWay.size >= MOST_UNDER_WAY) {
        return Number.POSITIVE_INFINITY
      }
      return Math.max(0, freeAt - latencyMs() - now())
    },
    share: (waiting) => {
      if (!isDistant() || !keepsOrder()) return waiting
      const all = waiting + batchesUnderWay
      return Math.min(waiting, Math.max(Math.ceil(all / bestParts(all)), LEAST_SHARE))
    },
    leave: (batches) => {
      const self = {}
      const leftAt = now()
      underWay.add(self)
      batchesUnderWay += batches
      freeAt = Math.max(freeAt, leftAt + latencyMs()) + serviceMs(batches)
      return (end) => {
        underWay.delete(self)
        batchesUnderWay -= batches
        if (underWay.size === 0) freeAt = now()
        // how long a lost answer was waited for shows nothing of the server
        if (end === 'failed') return
        // the server had begun when the group had arrived and the one before it had ended
        const begunAt = Math.max(answeredAt, leftAt + latencyMs())
        averageMs = mix(averageMs, Math.max(now() - begunAt, 0))
        averageBatches = Math.max(mix(averageBatches, batches), 1)
        answeredAt = now()
      }
    },
  }
}
