/** The claim of a worker on a job, and the lease that limits its time. */
import type { Progress } from '#core/job/progress-note.ts'
import type { JobStatus } from '#core/job/transitions.ts'
import { asText } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { jobStatus } from './read.ts'

/** A job and the attempt that its worker claimed. */
export type Claim = Readonly<{ ws: string; id: string; attempt: number }>

/** With the id of the claim, because an attempt that was handed back before it began is claimed again under the same number. */
export type LeasedClaim = Claim & Readonly<{ claimId: string }>

/**
 * Identifies a claim in memory. A worker may hold the next attempt of a job before it learns that it lost the previous one, and
 * may claim a job again that it has just handed back.
 */
export const claimKey = ({ id, claimId }: Pick<LeasedClaim, 'id' | 'claimId'>): string =>
  `${id}:${claimId}`

/** A condition on `jobs`: the row is this job, and this attempt is its newest. */
export const isAttempt = ({ ws, id, attempt }: Claim, alias = 'jobs'): Statement => {
  const job = raw(alias)
  return sql`${job}.ws = ${ws} AND ${job}.id = ${id} AND ${job}.attempt = ${attempt}`
}

/** A condition on `jobs`: the job is claimed by this claim. */
export const isClaim = ({ ws, id, claimId }: LeasedClaim): Statement =>
  sql`jobs.ws = ${ws} AND jobs.id = ${id} AND jobs.claim_id = ${claimId}`

/**
 * A condition on `jobs`: the running attempt keeps its claim. It does after the end of its lease, which a jump of the clock may
 * cause, until another claim has the job, but not while the workspace moves: then the job may have moved with it, and runs again in
 * the other cell.
 */
export const keepsClaim = (alias = 'jobs'): Statement =>
  sql`(${raw(alias)}.lease_until >= ${SQL_NOW} OR ${isNotHeld(`${alias}.ws`)})`

/** A condition: this attempt runs and has its job. */
export const isRunning = (claim: Claim): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE ${isAttempt(claim, 'j')} AND j.status = 'running' AND ${keepsClaim('j')})`

/**
 * Renews the leases of all jobs of a worker in one statement. A job that is not returned was lost: another claim has it, or it
 * has ended. `canceled` is 1 if its cancel was requested.
 */
export const renewLeases = (claims: readonly LeasedClaim[], leaseMs: number): Statement =>
  sql`WITH claims (ws, id, claim_id) AS (
      SELECT value ->> 0, value ->> 1, value ->> 2
      FROM json_each(${JSON.stringify(claims.map(({ ws, id, claimId }) => [ws, id, claimId]))})
    )
    UPDATE jobs SET lease_until = ${SQL_NOW} + ${leaseMs}
    FROM claims
    WHERE jobs.ws = claims.ws AND jobs.id = claims.id AND jobs.claim_id = claims.claim_id
      AND jobs.status = 'running' AND ${keepsClaim()}
    RETURNING jobs.id, jobs.claim_id, jobs.cancel_by IS NOT NULL AS canceled`

/** Finds the status of the job while `claim` is its newest attempt, else null. */
export const findAttemptStatus = (db: Database, claim: Claim): Promise<JobStatus | null> =>
  jobStatus.one(db, sql`SELECT status FROM jobs WHERE ${isAttempt(claim)}`)

/** The state of a job whose claim could not be handed back. */
export type ClaimState = Readonly<{
  /** Whether this claim still has the job. */
  isHeld: boolean
  /** The tag of the job while it waits in the queue, else null. */
  queuedTag: string | null
}>

/** Finds the state of a job's claim. @throws {DatabaseError} */
export const findClaimState = async (db: Database, claim: LeasedClaim): Promise<ClaimState> => {
  const row = await db.one(
    sql`SELECT status, tag, claim_id FROM jobs WHERE ws = ${claim.ws} AND id = ${claim.id}`,
  )
  return {
    isHeld: row?.status === 'running' && row.claim_id === claim.claimId,
    queuedTag: row?.status === 'queued' ? asText(row.tag) : null,
  }
}

/** Sets the progress of a running job. A late write of an earlier attempt changes nothing. */
export const setProgress = (claim: Claim, { fraction, note }: Progress): Statement =>
  sql`UPDATE jobs SET progress_fraction = ${fraction}, progress_note = ${note}
    WHERE ${isAttempt(claim)} AND status = 'running'`
