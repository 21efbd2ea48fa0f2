/**
 * How many jobs to claim beyond those that can start at once. Short jobs would leave the processes idle for a commit
 * between any two; so a worker takes as many as it will start within a few milliseconds, and none when jobs are long.
 */

/** A prefetched job waits no longer than about this. */
const HORIZON_MS = 20
const MAX_PREFETCH_PER_SLOT = 16
/** Weight of the newest run in the moving average. */
const NEWEST_WEIGHT = 0.2

export const nextAverageMs = (averageMs: number | null, durationMs: number): number =>
  averageMs === null ? durationMs : averageMs * (1 - NEWEST_WEIGHT) + durationMs * NEWEST_WEIGHT

/** @param averageMs moving average of run times, null before the first run */
export const prefetchCount = (concurrency: number, averageMs: number | null): number => {
  if (averageMs === null) return 0
  const perSlot = Math.floor(HORIZON_MS / Math.max(averageMs, 0.5))
  return concurrency * Math.min(perSlot, MAX_PREFETCH_PER_SLOT)
}
