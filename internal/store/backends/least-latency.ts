/** The shortest recent round trip. It approximates the network's latency, because a busy server only makes round trips longer. */
export type LeastLatency = Readonly<{
  /** Milliseconds of one round trip. */
  add: (ms: number) => void
  /** Returns milliseconds; 0 while nothing is known. */
  ms: () => number
}>

/** A route may change, so values older than one to two of these spans no longer count. Milliseconds. */
const SPAN_MS = 10_000

/** @param now milliseconds of a monotonic clock */
export const createLeastLatency = (now: () => number): LeastLatency => {
  let begunAt = now()
  let before = Number.POSITIVE_INFINITY
  let current = Number.POSITIVE_INFINITY
  const turnOver = (): void => {
    if (now() - begunAt < SPAN_MS || current === Number.POSITIVE_INFINITY) return
    before = current
    current = Number.POSITIVE_INFINITY
    begunAt = now()
  }
  return {
    add: (ms) => {
      turnOver()
      current = Math.min(current, ms)
    },
    ms: () => {
      const least = Math.min(before, current)
      return least === Number.POSITIVE_INFINITY ? 0 : least
    },
  }
}
