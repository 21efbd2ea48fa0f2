/** The billing row of a job that has ended. */
import type { Statement } from '../database.ts'
import { sql } from '../sql.ts'

/**
 * Writes the billing rows of ended jobs and leaves existing rows unchanged. `duration_ms` is the time that the last attempt
 * ran, without suspensions. A job that ends while it waits for a retry has no start any more, so its last attempt is read.
 * @param jobs the rows of `jobs`: the text after FROM, with a WHERE that excludes jobs that have not ended
 */
export const insertLedgerRows = (jobs: Statement): Statement =>
  sql`INSERT INTO ledger (job_id, ws, customer_id, app, action, outcome, duration_ms, completed_at)
    SELECT jobs.id, jobs.ws, jobs.customer_id, jobs.app, jobs.action, jobs.status,
      jobs.ran_ms + CASE
        WHEN jobs.started_at IS NOT NULL THEN MAX(jobs.completed_at - jobs.started_at, 0)
        WHEN jobs.suspended_kind IS NOT NULL THEN 0
        ELSE COALESCE((SELECT MAX(a.ended_at - a.started_at, 0) FROM job_attempts a WHERE a.job_id = jobs.id
          ORDER BY a.attempt DESC LIMIT 1), 0) END,
      jobs.completed_at
    FROM ${jobs}
    ON CONFLICT (job_id) DO NOTHING`

/** Must run right after the update that ends the job. It writes only if that update changed a row. */
export const insertLedgerRow = ({ ws, id }: Readonly<{ ws: string; id: string }>): Statement =>
  insertLedgerRows(
    sql`jobs WHERE jobs.ws = ${ws} AND jobs.id = ${id} AND jobs.completed_at IS NOT NULL AND changes() = 1`,
  )
