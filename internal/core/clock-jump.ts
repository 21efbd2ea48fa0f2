/** Whether the database's clock has jumped: two looks at it, each between two readings of a steady clock. */

/** Milliseconds. The answer `databaseNow` was made at some time between `before` and `after` of the steady clock. */
export type ClockSample = Readonly<{ databaseNow: number; before: number; after: number }>

const middle = ({ before, after }: ClockSample): number => (before + after) / 2

/**
 * By how many milliseconds the clock jumped between two samples, negative when it went back; 0 when what was seen can be
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

/** How much of a jump the leases forgive: a worker ends its own jobs when a fifth of its lease is left (lease.ts). */
export const jumpToleranceMs = (leaseMs: number): number => Math.min(2_000, Math.floor(leaseMs / 5))

/**
 * A node that has just started cannot tell a jump from a death. Before it takes jobs from workers it waits until those
 * that live have renewed: twice as long as they need.
 */
export const settleMs = (leaseMs: number): number => Math.floor((leaseMs * 2) / 3)
