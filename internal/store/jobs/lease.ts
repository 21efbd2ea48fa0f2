/** The claim of a worker on a job, and the lease that limits it in time. */
import type { JobStatus } from '#core/job/transitions.ts'
import { asText } from '../column.ts'
import { type Database, SQL_NOW, type Statement, sql } from '../database.ts'
import { toStatus } from './read.ts'

/** A job and the attempt that its worker was given. */
export type Held = Readonly<{ ws: string; id: string; attempt: number }>

/**
 * One statement for all jobs of a worker. A held job that does not come back was lost: another attempt has it, or it
 * ended. `cancel_by` says that somebody asked to cancel it.
 */
export const renewLeases = (held: readonly Held[], leaseMs: number): Statement =>
  sql(
    `WITH held (ws, id, attempt) AS (
       SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
     )
     UPDATE jobs SET lease_until = ${SQL_NOW} + ?
     FROM held
     WHERE jobs.ws = held.ws AND jobs.id = held.id AND jobs.attempt = held.attempt
       AND jobs.status = 'running'
     RETURNING jobs.id, jobs.attempt, jobs.cancel_by IS NOT NULL AS canceled`,
    JSON.stringify(held.map((job) => [job.ws, job.id, job.attempt])),
    leaseMs,
  )

/** Whether this attempt holds the job and its lease. */
export const isAttemptRunning = async (db: Database, held: Held): Promise<boolean> =>
  (await db.one(
    sql(
      `SELECT 1 FROM jobs
       WHERE ws = ? AND id = ? AND attempt = ? AND status = 'running' AND lease_until > ${SQL_NOW}`,
      held.ws,
      held.id,
      held.attempt,
    ),
  )) !== null

/** The status of the job while `held` is its newest attempt, else null. */
export const findAttemptStatus = async (db: Database, held: Held): Promise<JobStatus | null> => {
  const row = await db.one(
    sql(
      'SELECT status FROM jobs WHERE ws = ? AND id = ? AND attempt = ?',
      held.ws,
      held.id,
      held.attempt,
    ),
  )
  return row === null ? null : toStatus(asText(row.status))
}
