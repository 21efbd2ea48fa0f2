/** Rescues jobs of workers that no longer renew their leases. */
import type { JobError } from '#core/job/job-error.ts'
import type { WorkerLoss } from '#core/job/worker-loss.ts'
import type { Database, Statement } from '../database.ts'
import type { DuePage } from '../due-place.ts'
import { type DueList, readDueRows } from '../due-rows.ts'
import { bool, number, type RowOf, row, text, time } from '../row.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { type ClaimedFlow, toClaimedFlow } from './claimed-job.ts'
import { CANCELED_RESULT } from './end.ts'
import { isLostRow } from './guards.ts'
import { insertLedgerRow } from './ledger.ts'
import { type Changes, transition } from './transition.ts'

const lostJob = row({
  ws: text,
  id: text,
  at: time('lease_until'),
  app: text,
  action: text,
  attempt: number,
  crashes: number('crash_count'),
  crashLimit: number,
  isCancelRequested: bool(sql`cancel_by IS NOT NULL`),
})

/** A running job whose lease has ended. `flow` is null if no flow started the job. */
export type LostJob = RowOf<typeof lostJob> & Readonly<{ flow: ClaimedFlow | null }>

const LEASED = {
  from: 'jobs INDEXED BY jobs_leased',
  within: sql`status = 'running' AND ${isNotHeld('ws')}`,
  key: ['lease_until', 'id'],
} as const satisfies DueList

/**
 * Lists running jobs whose lease has ended, oldest first.
 * @param asOf a reading of the database's clock; leases that ended after it are left out. Null for its present time
 */
export const listLostJobs = async (
  db: Database,
  { asOf, ...page }: DuePage & Readonly<{ asOf: number | null }>,
): Promise<readonly LostJob[]> => {
  const until = sql`min(COALESCE(${asOf}, ${SQL_NOW}), ${SQL_NOW}) - 1`
  const rows = await readDueRows(db, { ...LEASED, until }, page, ({ where, limit }) =>
    db.all(
      sql`SELECT ${lostJob.columns()}, flow_run_id, flow_index, flow_slot, flow_attempt,
          (SELECT flow FROM job_inputs i WHERE i.job_id = jobs.id) AS flow
        FROM jobs WHERE (ws, id) IN (
          SELECT ws, id FROM ${raw(LEASED.from)} WHERE ${where} ORDER BY lease_until, id LIMIT ${limit})
        ORDER BY lease_until, id`,
    ),
  )
  return rows.map((found) => ({ ...lostJob.read(found), flow: toClaimedFlow(found) }))
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
