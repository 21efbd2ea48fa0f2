/** Rescues jobs of workers that no longer renew their leases. */
import type { JobError } from '#core/job/job-error.ts'
import type { LostAttempt, WorkerLoss } from '#core/job/worker-loss.ts'
import { asNumber, asText } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { type DuePage, type DuePlace, isOnPage } from '../due-place.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { type ClaimedFlow, toClaimedFlow } from './claimed-job.ts'
import { CANCELED_RESULT } from './end.ts'
import { isLostRow } from './guards.ts'
import type { Claim } from './lease.ts'
import { insertLedgerRow } from './ledger.ts'
import { type Changes, transition } from './transition.ts'

/** A running job whose lease has ended. */
export type LostJob = Claim &
  LostAttempt &
  DuePlace &
  Readonly<{
    app: string
    action: string
    /** Null if no flow started the job. */
    flow: ClaimedFlow | null
  }>

/**
 * Lists running jobs whose lease has ended, oldest first.
 * @param asOf a reading of the database's clock; leases that ended after it are left out. Null for now
 */
export const listLostJobs = async (
  db: Database,
  { asOf, ...page }: DuePage & Readonly<{ asOf: number | null }>,
): Promise<readonly LostJob[]> => {
  const rows = await db.all(
    sql`SELECT id, ws, lease_until AS at, app, action, attempt, crash_count, crash_limit, cancel_by,
        flow_run_id, flow_index, flow_slot, flow_attempt,
        (SELECT flow FROM job_inputs i WHERE i.job_id = jobs.id) AS flow
      FROM jobs INDEXED BY jobs_leased
      WHERE status = 'running' AND lease_until < min(COALESCE(${asOf}, ${SQL_NOW}), ${SQL_NOW})
        AND ${isNotHeld('ws')} AND ${isOnPage(page, 'lease_until')}
      ORDER BY lease_until, id LIMIT ${page.limit}`,
  )
  return rows.map((row) => ({
    ws: asText(row.ws),
    id: asText(row.id),
    at: asNumber(row.at),
    app: asText(row.app),
    action: asText(row.action),
    attempt: asNumber(row.attempt),
    crashes: asNumber(row.crash_count),
    crashLimit: asNumber(row.crash_limit),
    isCancelRequested: row.cancel_by !== null,
    flow: toClaimedFlow(row),
  }))
}

/**
 * Ends the attempt of a lost worker by the event that `afterWorkerLoss` returns, with a billing row if the job ends. Does not
 * change a job that has changed since it was read. The first statement returns `{tag}`.
 * @param options `error`: the result of a job that fails by it; `guard`: an additional condition
 */
export const rescueJob = (
  lost: LostJob,
  event: WorkerLoss,
  { error, guard = TRUE }: Readonly<{ error: JobError; guard?: Statement | undefined }>,
): readonly [Statement, Statement] => [
  transition(event, {
    set: { crash_count: raw('crash_count + 1'), ...resultOf(event, error) },
    where: sql`${isLostRow(lost)} AND ${guard}`,
    returning: raw('tag'),
  }),
  insertLedgerRow(lost),
]

const resultOf = (event: WorkerLoss, error: JobError): Changes => {
  if (event === 'lose_worker') return {}
  return { result: event === 'give_up' ? sql`${JSON.stringify(error)}` : CANCELED_RESULT }
}
