/** Runs whose wait is over, or whose next reminder is due. Both are index probes, regardless of how many runs wait. */
import { asNumber, asNumberOrNull, asText } from '../column.ts'
import type { Database, Row, Statement } from '../database.ts'
import { type DuePage, type DuePlace, isOnPage } from '../due-place.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

export type DueRun = Readonly<{ ws: string; id: string; index: number }>

const toDueRun = (row: Row): DueRun & DuePlace => ({
  ws: asText(row.ws),
  id: asText(row.id),
  index: asNumber(row.step_index),
  at: asNumber(row.at),
})

/** Lists waiting runs whose time is over, the longest overdue first. */
export const listDueWaits = async (
  db: Database,
  page: DuePage,
): Promise<readonly (DueRun & DuePlace)[]> => {
  const rows = await db.all(
    sql`SELECT ws, id, step_index, wait_until AS at FROM flow_runs INDEXED BY flow_runs_by_deadline
       WHERE wait_until IS NOT NULL AND wait_until <= ${SQL_NOW} AND ${isNotHeld('ws')} AND ${isOnPage(page, 'wait_until')}
       ORDER BY wait_until, id LIMIT ${page.limit}`,
  )
  return rows.map(toDueRun)
}

/** A guard: the time of the run's wait is over. */
export const isWaitOver = ({ ws, id, index }: DueRun): Statement =>
  sql`EXISTS (SELECT 1 FROM flow_runs o WHERE o.ws = ${ws} AND o.id = ${id} AND o.step_index = ${index}
       AND o.completed_at IS NULL AND o.wait_until <= ${SQL_NOW})`

export type DueReminder = DueRun &
  Readonly<{
    /** How many reminders were started before this one. */
    sent: number
    /** Whether an earlier reminder has not ended. */
    isOpen: boolean
  }>

/** Lists runs whose next reminder is due, the longest overdue first. */
export const listDueReminders = async (
  db: Database,
  page: DuePage,
): Promise<readonly (DueReminder & DuePlace)[]> => {
  const rows = await db.all(
    sql`SELECT ws, id, step_index, remind_at AS at,
        (SELECT count(*) FROM jobs j INDEXED BY jobs_by_flow
          WHERE j.flow_run_id = r.id AND j.flow_index = r.step_index) AS sent,
        EXISTS (SELECT 1 FROM jobs j INDEXED BY jobs_by_flow_open
          WHERE j.flow_run_id = r.id AND j.flow_index = r.step_index AND j.completed_at IS NULL) AS open
      FROM flow_runs r INDEXED BY flow_runs_by_reminder
      WHERE remind_at IS NOT NULL AND remind_at <= ${SQL_NOW} AND ${isNotHeld('ws')} AND ${isOnPage(page, 'remind_at')}
      ORDER BY remind_at, id LIMIT ${page.limit}`,
  )
  return rows.map((row) => ({
    ...toDueRun(row),
    sent: asNumber(row.sent),
    isOpen: row.open === 1,
  }))
}

/** A guard: the run's next reminder is due. */
export const isReminderDue = ({ ws, id, index }: DueRun): Statement =>
  sql`EXISTS (SELECT 1 FROM flow_runs o WHERE o.ws = ${ws} AND o.id = ${id} AND o.step_index = ${index}
       AND o.completed_at IS NULL AND o.remind_at <= ${SQL_NOW})`

/** Returns the milliseconds until the first wait is over or reminder is due; null if no run waits for a time. */
export const findNextDueMs = async (db: Database): Promise<number | null> => {
  const row = await db.one(
    sql`SELECT min(at) - ${SQL_NOW} AS ms FROM (
      SELECT min(wait_until) AS at FROM flow_runs INDEXED BY flow_runs_by_deadline
        WHERE wait_until IS NOT NULL AND ${isNotHeld('ws')}
      UNION ALL
      SELECT min(remind_at) FROM flow_runs INDEXED BY flow_runs_by_reminder
        WHERE remind_at IS NOT NULL AND ${isNotHeld('ws')})`,
  )
  return asNumberOrNull(row?.ms ?? null)
}
