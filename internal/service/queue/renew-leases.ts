/** Renews the leases of all jobs of a worker in one statement. */
import type { Database } from '#store/database.ts'
import { claimKey, type LeasedClaim, renewLeases as renewStatement } from '#store/jobs/lease.ts'

export type LeaseAnswer = Readonly<{
  renewed: readonly LeasedClaim[]
  /** Claims that are lost: another worker has the job, or the job ended. */
  lost: readonly LeasedClaim[]
  /** Valid claims for which a cancel was requested. */
  canceled: readonly LeasedClaim[]
}>

/** Renews leases. @throws {DatabaseError} the state of the leases is unknown */
export const renewLeases = async (
  db: Database,
  claims: readonly LeasedClaim[],
  leaseMs: number,
): Promise<LeaseAnswer> => {
  const { renewal } = await db.write({ renewal: renewStatement(claims, leaseMs) }, { retry: true })
  const answered = new Map(
    renewal.rows.map((row) => [`${row.id}:${row.claim_id}`, row.canceled === 1]),
  )
  return {
    renewed: claims.filter((claim) => answered.has(claimKey(claim))),
    lost: claims.filter((claim) => !answered.has(claimKey(claim))),
    canceled: claims.filter((claim) => answered.get(claimKey(claim)) === true),
  }
}
