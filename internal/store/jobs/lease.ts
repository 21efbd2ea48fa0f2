/** The claim of a worker on a job, and the lease that limits it in time. */
import type { JobStatus } from '#core/job/transitions.ts'
import { asText } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { toStatus } from './read.ts'

/** A job and the attempt that its worker was given. */
export type Held = Readonly<{ ws: string; id: string; attempt: number }>

/** A condition on `jobs`: it is the job, and this attempt is its newest. */
export const isAttempt = ({ ws, id, attempt }: Held, alias = 'jobs'): Statement => {
  const job = raw(alias)
  return sql`${job}.ws = ${ws} AND ${job}.id = ${id} AND ${job}.attempt = ${attempt}`
}

/**
 * Renews the leases of all jobs of a worker in one statement. A job that does not come back was lost: another attempt
 * holds it, or it ended. `canceled` is 1 where its cancel was requested.
 */
export const renewLeases = (held: readonly Held[], leaseMs: number): Statement =>
  sql`WITH held (ws, id, attempt) AS (
      SELECT value ->> 0, value ->> 1, value ->> 2
      FROM json_each(${JSON.stringify(held.map((job) => [job.ws, job.id, job.attempt]))})
    )
    UPDATE jobs SET lease_until = ${SQL_NOW} + ${leaseMs}
    FROM held
    WHERE jobs.ws = held.ws AND jobs.id = held.id AND jobs.attempt = held.attempt
      AND jobs.status = 'running'
    RETURNING jobs.id, jobs.attempt, jobs.cancel_by IS NOT NULL AS canceled`

/** Whether this attempt holds the job and its lease. */
export const isAttemptRunning = async (db: Database, held: Held): Promise<boolean> =>
  (await db.one(
    sql`SELECT 1 FROM jobs
      WHERE ${isAttempt(held)} AND status = 'running' AND lease_until > ${SQL_NOW}`,
  )) !== null

/** The status of the job while `held` is its newest attempt, else null. */
export const findAttemptStatus = async (db: Database, held: Held): Promise<JobStatus | null> => {
  const row = await db.one(sql`SELECT status FROM jobs WHERE ${isAttempt(held)}`)
  return row === null ? null : toStatus(asText(row.status))
}
