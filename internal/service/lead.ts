/**
 * Leadership: one node of many does what is better done by one. Correctness never rests on it, since every duty holds
 * its own guards; it saves double work.
 *
 * The lease is taken when there is something to do and not kept alive beyond that, so that an idle instance writes
 * nothing. It is on the database's clock; how long it may be trusted is counted here, on a steady clock, from before it
 * was asked for.
 */
import { asNumber } from '#store/column.ts'
import { findLeader, releaseLease, takeLease } from '#store/leaders.ts'
import type { Deps } from './deps.ts'

export interface Leadership {
  /** Whether this node leads now; takes the lease when nobody holds it. Call it when there is something to do. */
  claim(): Promise<boolean>
  /** Hands over at once. */
  release(): Promise<void>
}

export type LeadershipOptions = Readonly<{
  name: string
  /** This process, told apart from its earlier lives. */
  owner: string
  leaseMs: number
  /** Milliseconds of a steady clock. */
  monotonicNow: () => number
  onElected: (epoch: number) => void
}>

/** Of the lease: from when it is renewed, and until when it is trusted. */
const RENEW_AFTER = 1 / 3
const TRUST_FOR = 2 / 3
/** A leader that died is not waited for longer than its lease, and looked after now and then. */
const LOOK_EVERY_MS = 1_000

export const createLeadership = (
  { db }: Pick<Deps, 'db'>,
  options: LeadershipOptions,
): Leadership => {
  const { name, owner, leaseMs, monotonicNow, onElected } = options
  let epoch: number | null = null
  let takenAt = 0
  let quietUntil = 0

  const take = async (): Promise<boolean> => {
    const askedAt = monotonicNow()
    const [result] = await db.write([takeLease({ name, owner, leaseMs })], { retry: true })
    const [row] = result?.rows ?? []
    if (row === undefined) {
      epoch = null
      return false
    }
    const granted = asNumber(row.epoch)
    takenAt = askedAt
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
      // a look takes no lock
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
