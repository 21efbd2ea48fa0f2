/**
 * Leadership: one of several nodes does work that would otherwise be done twice. Correctness never depends on it, because
 * every duty has its own guards.
 *
 * The lease is taken when there is work and not renewed beyond that, so that an idle instance writes nothing. It uses the
 * database's clock; how long it is trusted is measured here with a monotonic clock, from before it was requested.
 */
import { asNumber } from '#store/column.ts'
import { findLeader, releaseLease, takeLease } from '#store/nodes/leaders.ts'
import type { Deps } from '../deps.ts'

export interface Leadership {
  /** Returns whether this node leads; takes the lease if it is free. Call it when there is work. */
  claim(): Promise<boolean>
  /** Releases the lease at once. */
  release(): Promise<void>
}

export type LeadershipOptions = Readonly<{
  name: string
  /** Id of this process; a restarted process has another. */
  owner: string
  leaseMs: number
  /** Milliseconds of a monotonic clock. */
  monotonicNow: () => number
  onElected: (epoch: number) => void
}>

/** Fractions of the lease: when it is renewed, and how long it is trusted. */
const RENEW_AFTER = 1 / 3
const TRUST_FOR = 2 / 3
/** Interval between checks of another node's lease, milliseconds. */
const LOOK_EVERY_MS = 1_000

/** Creates the leadership of one node. */
export const createLeadership = (
  { db }: Pick<Deps, 'db'>,
  options: LeadershipOptions,
): Leadership => {
  const { name, owner, leaseMs, monotonicNow, onElected } = options
  let epoch: number | null = null
  let takenAt = 0
  let quietUntil = 0

  const take = async (): Promise<boolean> => {
    const requestedAt = monotonicNow()
    const { lease } = await db.write(
      { lease: takeLease({ name, owner, leaseMs }) },
      { retry: true },
    )
    const [row] = lease.rows
    if (row === undefined) {
      epoch = null
      return false
    }
    const granted = asNumber(row.epoch)
    takenAt = requestedAt
    if (granted !== epoch) onElected(granted)
    epoch = granted
    return true
  }

  const isTrusted = (fraction: number): boolean =>
    epoch !== null && monotonicNow() - takenAt < leaseMs * fraction

  return {
    claim: async () => {
      if (isTrusted(RENEW_AFTER)) return true
      if (epoch !== null) {
        try {
          return await take()
        } catch (error) {
          if (isTrusted(TRUST_FOR)) return true
          throw error
        }
      }
      if (monotonicNow() < quietUntil) return false
      // a read takes no write lock
      const leader = await findLeader(db, name)
      if (leader !== null && leader.owner !== owner && leader.leftMs > 0) {
        quietUntil = monotonicNow() + Math.min(leader.leftMs, LOOK_EVERY_MS)
        return false
      }
      return take()
    },
    release: async () => {
      if (epoch === null) return
      epoch = null
      await db.write([releaseLease({ name, owner })], { retry: true })
    },
  }
}
