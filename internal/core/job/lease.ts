/**
 * How long a worker may trust its own leases. A lease ends by the database's clock. These times are measured with the worker's
 * monotonic clock from before the renewal is sent, so the worker always stops first.
 */

/** Leases are renewed every third of their length [jobs 8.2]. */
export const renewEveryMs = (leaseMs: number): number => Math.max(Math.floor(leaseMs / 3), 50)

/** Without a renewal for this long, the worker kills its own jobs, well before another worker may claim them. */
export const trustForMs = (leaseMs: number): number => Math.floor((leaseMs * 4) / 5)

const LEAST_TIMEOUT_MS = 2_000
const MOST_TIMEOUT_MS = 10_000

/**
 * A renewal that gets no answer for this many milliseconds is sent again on another connection, while
 * the lease is still trusted.
 */
export const renewalTimeoutMs = (leaseMs: number): number =>
  Math.min(Math.max(Math.floor(leaseMs / 4), LEAST_TIMEOUT_MS), MOST_TIMEOUT_MS)

/** Whether the last successful renewal was sent too long ago. */
export const hasLostTrust = (leaseMs: number, renewedAt: number, monotonicNow: number): boolean =>
  monotonicNow - renewedAt >= trustForMs(leaseMs)
