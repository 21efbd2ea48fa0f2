/** Renews the leases of all jobs of a worker in one statement. */
import type { Database } from '#store/database.ts'
import { type Held, renewLeases as renewStatement } from '#store/jobs/lease.ts'

export type LeaseAnswer = Readonly<{
  renewed: readonly Held[]
  /** Another worker has the job, or it ended. */
  lost: readonly Held[]
  /** The claim is valid, and a cancel was requested. */
  canceled: readonly Held[]
}>

const toKey = (held: Held): string => `${held.id}:${held.attempt}`

/** Renews leases. @throws {DatabaseError} the state of the leases is unknown */
export const renewLeases = async (
  db: Database,
  held: readonly Held[],
  leaseMs: number,
): Promise<LeaseAnswer> => {
  const { renewal } = await db.write({ renewal: renewStatement(held, leaseMs) }, { retry: true })
  const answered = new Map(
    renewal.rows.map((row) => [`${row.id}:${row.attempt}`, row.canceled === 1]),
  )
  return {
    renewed: held.filter((job) => answered.has(toKey(job))),
    lost: held.filter((job) => !answered.has(toKey(job))),
    canceled: held.filter((job) => answered.get(toKey(job)) === true),
  }
}
