/** Jobs that were not started in time, by `startTimeoutS` of their action [jobs 21]. */
import { START_TIMEOUT } from '#core/job/start-timeout.ts'
import type { Database, Statement } from '../database.ts'
import type { DuePage } from '../due-place.ts'
import { type DueList, readDueRows } from '../due-rows.ts'
import { bool, type RowOf, row, text, time } from '../row.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { cancelQueued } from './cancel.ts'
import { insertLedgerRows } from './ledger.ts'

/**
 * A condition: the job should have started before `now`, and no worker has claimed it. Most jobs need only its first term.
 */
export const isLateAt = (now: Statement): Statement =>
  sql`(start_by IS NOT NULL AND attempt = 0 AND start_by < ${now})`

const IS_LATE = isLateAt(SQL_NOW)

const lateJob = row({
  ws: text,
  id: text,
  at: time('start_by'),
  isOfFlow: bool(sql`flow_run_id IS NOT NULL`),
})
export type LateJob = RowOf<typeof lateJob>

const TO_START = {
  from: 'jobs INDEXED BY jobs_to_start',
  within: sql`status = 'queued' AND start_by IS NOT NULL AND attempt = 0 AND ${isNotHeld('ws')}`,
  key: ['start_by', 'id'],
  until: sql`${SQL_NOW} - 1`,
} as const satisfies DueList

/** Lists queued jobs that are late, those that are late longest first. */
export const listLateJobs = (db: Database, page: DuePage): Promise<readonly LateJob[]> =>
  readDueRows(db, TO_START, page, ({ where, limit }) =>
    lateJob.all(
      db,
      sql`SELECT ${lateJob.columns()} FROM jobs WHERE (ws, id) IN (
          SELECT ws, id FROM ${raw(TO_START.from)} WHERE ${where} ORDER BY start_by, id LIMIT ${limit})
        ORDER BY start_by, id`,
    ),
  )

/** A condition: the job is still queued and late. */
export const isStillLate = ({ ws, id }: Pick<LateJob, 'ws' | 'id'>): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs WHERE ws = ${ws} AND id = ${id} AND status = 'queued' AND ${IS_LATE})`

/** Cancels those of these jobs that are still late, with their billing rows. The first statement returns `{id}`. */
export const cancelLateJobs = (
  jobs: readonly Pick<LateJob, 'ws' | 'id'>[],
): readonly [Statement, Statement] => {
  const listed = sql`(jobs.ws, jobs.id) IN (
    SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(jobs.map(({ ws, id }) => [ws, id]))}))`
  return [
    cancelQueued(START_TIMEOUT, {
      where: sql`${listed} AND ${IS_LATE} AND jobs.flow_run_id IS NULL`,
      returning: raw('id'),
    }),
    insertLedgerRows(
      sql`jobs WHERE ${listed} AND jobs.status = 'canceled' AND jobs.cancel_by = ${START_TIMEOUT.by}`,
    ),
  ]
}
