/** Renews the leases of all jobs of a worker in one statement. */
import type { Database } from '#store/database.ts'
import { type Claim, renewLeases as renewStatement } from '#store/jobs/lease.ts'

export type LeaseAnswer = Readonly<{
  renewed: readonly Claim[]
  /** Another worker has the job, or it ended. */
  lost: readonly Claim[]
  /** The claim is valid, and a cancel was requested. */
  canceled: readonly Claim[]
}>

const toKey = (claim: Claim): string => `${claim.id}:${claim.attempt}`

/** Renews leases. @throws {DatabaseError} the state of the leases is unknown */
export const renewLeases = async (
  db: Database,
  claims: readonly Claim[],
  leaseMs: number,
): Promise<LeaseAnswer> => {
  const { renewal } = await db.write({ renewal: renewStatement(claims, leaseMs) }, { retry: true })
  const answered = new Map(
    renewal.rows.map((row) => [`${row.id}:${row.attempt}`, row.canceled === 1]),
  )
  return {
    renewed: claims.filter((claim) => answered.has(toKey(claim))),
    lost: claims.filter((claim) => !answered.has(toKey(claim))),
    canceled: claims.filter((claim) => answered.get(toKey(claim)) === true),
  }
}
