/** Detects jumps of the database's clock from two samples, each taken between two readings of a monotonic clock. */

/** Milliseconds. `databaseNow` was read at some time between `before` and `after` of the monotonic clock. */
export type ClockSample = Readonly<{ databaseNow: number; before: number; after: number }>

const middle = ({ before, after }: ClockSample): number => (before + after) / 2

/**
 * Returns by how many milliseconds the clock jumped between two samples, negative if it went back; 0 if the samples can be
 * explained without a jump beyond `toleranceMs`, however long the answers took.
 */
export const jumpBetween = (
  first: ClockSample,
  second: ClockSample,
  toleranceMs: number,
): number => {
  const shown = second.databaseNow - first.databaseNow
  const longest = second.after - first.before
  const shortest = second.before - first.after
  if (shown >= shortest - toleranceMs && shown <= longest + toleranceMs) return 0
  return Math.round(shown - (middle(second) - middle(first)))
}

/** The jump that leases tolerate, in milliseconds: a worker ends its own jobs when a fifth of its lease is left (job/lease.ts). */
export const jumpToleranceMs = (leaseMs: number): number => Math.min(2_000, Math.floor(leaseMs / 5))

/**
 * Milliseconds after its start in which a node cannot distinguish a jump from a lost worker. It takes no jobs from workers
 * until the live ones have renewed: twice as long as they need.
 */
export const settleMs = (leaseMs: number): number => Math.floor((leaseMs * 2) / 3)
