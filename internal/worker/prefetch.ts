/**
 * Computes how many jobs to claim beyond those that can start at once. With short jobs, each process would idle during a
 * commit after every job. So a worker claims as many as it expects to start within 20 ms, and none when jobs are long.
 */

/** Longest expected wait of a prefetched job, in milliseconds. */
const HORIZON_MS = 20
const MAX_PREFETCH_PER_SLOT = 32
/** A claim blocks the event loop for about 40 µs per job. */
const MAX_PREFETCH = 512
/** Share of the newest attempt in the moving average. */
const NEWEST_WEIGHT = 0.2

/** Updates the moving average. @param averageMs null before the first attempt */
export const nextAverageMs = (averageMs: number | null, durationMs: number): number =>
  averageMs === null ? durationMs : averageMs * (1 - NEWEST_WEIGHT) + durationMs * NEWEST_WEIGHT

/** Returns how many jobs to prefetch. @param averageMs moving average of run times; null before the first attempt */
export const prefetchCount = (concurrency: number, averageMs: number | null): number => {
  if (averageMs === null) return 0
  const perSlot = Math.floor(HORIZON_MS / Math.max(averageMs, 0.5))
  return Math.min(concurrency * Math.min(perSlot, MAX_PREFETCH_PER_SLOT), MAX_PREFETCH)
}

/**
 * Returns the number of waiting claimed jobs at which the next claim is due: half of the prefetched jobs, but at least
 * `concurrency`, so that slots need not wait for the commit of the claim.
 */
export const refillAt = (concurrency: number, averageMs: number | null): number =>
  Math.max(concurrency, prefetchCount(concurrency, averageMs) >> 1)
