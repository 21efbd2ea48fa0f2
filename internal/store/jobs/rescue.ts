/** Takes jobs back from workers that no longer renew their leases. */
import type { JobStatus } from '#core/job/transitions.ts'
import { SQL_NOW, type Statement, sql } from '../database.ts'
import type { Held } from './lease.ts'

/**
 * Running jobs whose lease has run out, oldest first.
 * @param asOf a reading of the clock that was judged: what a jump since then has ended is left alone. Null: now
 */
export const findLostJobs = (limit: number, asOf: number | null): Statement =>
  sql(
    `SELECT id, ws, app, action, attempt, crash_count, crash_limit, cancel_by, cancel_reason,
       flow_run_id, flow_index, flow_slot, flow_attempt,
       (SELECT flow FROM job_inputs i WHERE i.job_id = jobs.id) AS flow
     FROM jobs INDEXED BY jobs_leased
     WHERE status = 'running' AND lease_until < min(COALESCE(?, ${SQL_NOW}), ${SQL_NOW})
     ORDER BY lease_until LIMIT ?`,
    asOf,
    limit,
  )

/**
 * Takes one job from its lost worker: canceled when somebody asked for that, failed when it was lost too often, else
 * queued again. Guarded by the attempt and by the lease, so a worker that renewed in time keeps it.
 * @param guard a further condition, for example that a flow's transition is this one
 */
export const rescueJob = (held: Held, failure: string, guard: Statement = sql('1')): Statement =>
  sql(
    `UPDATE jobs SET
       status = CASE WHEN cancel_by IS NOT NULL THEN 'canceled'
         WHEN crash_count + 1 >= crash_limit THEN 'failure' ELSE 'queued' END,
       result = CASE WHEN cancel_by IS NOT NULL
           THEN json_object('name', 'Canceled', 'message', cancel_reason)
         WHEN crash_count + 1 >= crash_limit THEN ? END,
       completed_at = CASE WHEN cancel_by IS NOT NULL OR crash_count + 1 >= crash_limit
         THEN ${SQL_NOW} END,
       started_at = CASE WHEN cancel_by IS NOT NULL OR crash_count + 1 >= crash_limit
         THEN started_at END,
       worker = CASE WHEN cancel_by IS NOT NULL OR crash_count + 1 >= crash_limit THEN worker END,
       crash_count = crash_count + 1, ready = 1, lease_until = NULL, claim_id = NULL
     WHERE ws = ? AND id = ? AND attempt = ? AND status = 'running' AND lease_until < ${SQL_NOW} AND ${guard.sql}
     RETURNING status, tag`,
    failure,
    held.ws,
    held.id,
    held.attempt,
    ...guard.args,
  )

export type RescuedJob = Readonly<{ status: JobStatus; tag: string }>
