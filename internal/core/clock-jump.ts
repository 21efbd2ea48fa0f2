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

/** What a worker has seen of the database's clock. */
export type SeenClock = ClockSample &
  Readonly<{
    /** The monotonic time at which a later sample showed that the clock has jumped forward; null if none did. */
    jumpedAt: number | null
  }>

/** Both clocks may differ in speed by a thousandth. */
const DRIFT = 0.001

/** Milliseconds within which a scheduler corrects a jump forward. After them, the new time holds. */
const CORRECTED_MS = 60_000

/** Returns the latest time that the database's clock shows now, unless it has jumped forward. */
export const latestUnlessJumped = (
  { databaseNow, before }: SeenClock,
  monotonicNow: number,
  toleranceMs: number,
): number => databaseNow + Math.ceil((monotonicNow - before) * (1 + DRIFT)) + toleranceMs

/** Takes a further sample. One that shows a jump forward is left out until the jump is corrected. */
export const seeClock = (
  seen: SeenClock | null,
  sample: ClockSample,
  toleranceMs: number,
): SeenClock => {
  const next = { ...sample, jumpedAt: null }
  if (seen === null) return next
  if (sample.databaseNow <= latestUnlessJumped(seen, sample.after, toleranceMs)) return next
  const jumpedAt = seen.jumpedAt ?? sample.after
  return sample.after - jumpedAt > CORRECTED_MS ? next : { ...seen, jumpedAt }
}
