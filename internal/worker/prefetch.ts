/**
 * How many jobs a worker claims beyond those that can start at once. With short jobs, each process would idle during a commit
 * after every job. So a worker claims as many as it expects to start within 20 ms, and none when jobs are long.
 */
export interface Prefetch {
  /** Returns how many jobs to claim beyond those that can start at once. */
  count(): number
  /**
   * Returns the number of waiting claimed jobs at which the next claim is due: half of the prefetched jobs, but at least as
   * many as there are slots, so that slots need not wait for the commit of the claim.
   */
  refillAt(): number
  /** Adds the duration of a job to the moving average. */
  add(durationMs: number): void
  /** Forgets the durations, because jobs take longer than expected. */
  reset(): void
}

/** Longest expected wait of a prefetched job, in milliseconds. */
const HORIZON_MS = 20
const MAX_PREFETCH_PER_SLOT = 32
/** A claim blocks the event loop for about 40 µs per job. */
const MAX_PREFETCH = 512
/** Share of the newest attempt in the moving average. */
const NEWEST_WEIGHT = 0.2

/** Creates the prefetch of a worker with this many slots. */
export const createPrefetch = (concurrency: number): Prefetch => {
  /** Null before the first attempt. */
  let averageMs: number | null = null

  const count = (): number => {
    if (averageMs === null) return 0
    const perSlot = Math.floor(HORIZON_MS / Math.max(averageMs, 0.5))
    return Math.min(concurrency * Math.min(perSlot, MAX_PREFETCH_PER_SLOT), MAX_PREFETCH)
  }
  return {
    count,
    refillAt: () => Math.max(concurrency, count() >> 1),
    add: (durationMs) => {
      averageMs ??= durationMs
      averageMs += (durationMs - averageMs) * NEWEST_WEIGHT
    },
    reset: () => {
      averageMs = null
    },
  }
}
