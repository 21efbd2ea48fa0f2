/** Runs whose wait is over, or whose next reminder is due. Both are index probes, regardless of how many runs wait. */
import type { Database, Statement } from '../database.ts'
import type { DuePage, DuePlace } from '../due-place.ts'
import { type DueList, readDueRows } from '../due-rows.ts'
import { bool, number, type RowOf, row, text, time } from '../row.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

const dueWait = row({ ws: text, id: text, index: number('step_index'), at: time('wait_until') })

/** A run whose time has come, or whose next reminder is due. */
export type DueRun = Omit<RowOf<typeof dueWait>, 'at'>

const dueWaitOrStart = row({
  ...dueWait.fields,
  /** It has to wait for a concurrency slot first. */
  needsSlot: bool(sql`COALESCE(concurrency_state, '') = 'delayed'`),
})

export type DueWait = Omit<RowOf<typeof dueWaitOrStart>, 'at'>

const BY_DEADLINE = {
  from: 'flow_runs INDEXED BY flow_runs_by_deadline',
  within: sql`wait_until IS NOT NULL AND ${isNotHeld('ws')}`,
  key: ['wait_until', 'id'],
  until: SQL_NOW,
} as const satisfies DueList

/** Lists waiting runs whose time is over, the longest overdue first. */
export const listDueWaits = (
  db: Database,
  page: DuePage,
): Promise<readonly (DueWait & DuePlace)[]> =>
  readDueRows(db, BY_DEADLINE, page, ({ where, limit }) =>
    dueWaitOrStart.all(
      db,
      sql`SELECT ${dueWaitOrStart.columns()} FROM ${raw(BY_DEADLINE.from)} WHERE ${where}
        ORDER BY wait_until, id LIMIT ${limit}`,
    ),
  )

/** A guard: the time of the run's wait is over. */
export const isWaitOver = ({ ws, id, index }: DueRun): Statement =>
  sql`EXISTS (SELECT 1 FROM flow_runs o WHERE o.ws = ${ws} AND o.id = ${id} AND o.step_index = ${index}
       AND o.completed_at IS NULL AND o.wait_until <= ${SQL_NOW})`

const dueReminder = row({
  ...dueWait.fields,
  at: time('remind_at'),
  /** How many reminders were started before this one. */
  sent: number(sql`(SELECT count(*) FROM jobs j INDEXED BY jobs_by_flow
    WHERE j.flow_run_id = r.id AND j.flow_index = r.step_index)`),
  /** Whether an earlier reminder has not ended. */
  isOpen: bool(sql`EXISTS (SELECT 1 FROM jobs j INDEXED BY jobs_by_flow_open
    WHERE j.flow_run_id = r.id AND j.flow_index = r.step_index AND j.completed_at IS NULL)`),
})

export type DueReminder = Omit<RowOf<typeof dueReminder>, 'at'>

const BY_REMINDER = {
  from: 'flow_runs r INDEXED BY flow_runs_by_reminder',
  within: sql`remind_at IS NOT NULL AND ${isNotHeld('ws')}`,
  key: ['remind_at', 'id'],
  until: SQL_NOW,
} as const satisfies DueList

/** Lists runs whose next reminder is due, the longest overdue first. */
export const listDueReminders = (
  db: Database,
  page: DuePage,
): Promise<readonly (DueReminder & DuePlace)[]> =>
  readDueRows(db, BY_REMINDER, page, ({ where, limit }) =>
    dueReminder.all(
      db,
      sql`SELECT ${dueReminder.columns('r')} FROM ${raw(BY_REMINDER.from)} WHERE ${where}
        ORDER BY remind_at, id LIMIT ${limit}`,
    ),
  )

/** A guard: the run's next reminder is due. */
export const isReminderDue = ({ ws, id, index }: DueRun): Statement =>
  sql`EXISTS (SELECT 1 FROM flow_runs o WHERE o.ws = ${ws} AND o.id = ${id} AND o.step_index = ${index}
       AND o.completed_at IS NULL AND o.remind_at <= ${SQL_NOW})`

/** Returns the milliseconds until the first wait is over or reminder is due; null if no run waits for a time. */
export const findNextDueMs = (db: Database): Promise<number | null> =>
  number.nullable.one(
    db,
    sql`SELECT min(at) - ${SQL_NOW} AS ms FROM (
      SELECT min(wait_until) AS at FROM flow_runs INDEXED BY flow_runs_by_deadline
        WHERE wait_until IS NOT NULL AND ${isNotHeld('ws')}
      UNION ALL
      SELECT min(remind_at) FROM flow_runs INDEXED BY flow_runs_by_reminder
        WHERE remind_at IS NOT NULL AND ${isNotHeld('ws')})`,
  )
