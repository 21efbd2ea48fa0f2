/** Schedules as they are kept, listed and changed. What fires them stands in schedule-slots.ts. */
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type SqlValue, type Statement, sql } from './database.ts'

export type Schedule = Readonly<{
  id: string
  ws: string
  app: string
  /** Exactly one of action and flow is not null. */
  action: string | null
  flow: string | null
  cron: string
  timezone: string
  inputJson: string
  enabled: boolean
  version: number
  /** Milliseconds since 1970; null while disabled. */
  nextFireAt: number | null
  lastFireAt: number | null
  /** Since when its fire time waits for room in the workspace's queue; null: it does not. */
  waitingSince: number | null
  lastJobId: string | null
  lastFlowRunId: string | null
  disabledReason: string | null
  createdBy: string
  createdAt: number
  updatedAt: number
}>

export const toSchedule = (row: Row): Schedule => ({
  id: asText(row.id),
  ws: asText(row.ws),
  app: asText(row.app),
  action: asTextOrNull(row.action),
  flow: asTextOrNull(row.flow),
  cron: asText(row.cron),
  timezone: asText(row.timezone),
  inputJson: asText(row.input),
  enabled: row.enabled === 1,
  version: asNumber(row.version),
  nextFireAt: asNumberOrNull(row.next_fire_at),
  lastFireAt: asNumberOrNull(row.last_fire_at),
  waitingSince: asNumberOrNull(row.waiting_since),
  lastJobId: asTextOrNull(row.last_job_id),
  lastFlowRunId: asTextOrNull(row.last_flow_run_id),
  disabledReason: asTextOrNull(row.disabled_reason),
  createdBy: asText(row.created_by),
  createdAt: asNumber(row.created_at),
  updatedAt: asNumber(row.updated_at),
})

export const findSchedule = async (
  db: Database,
  ws: string,
  id: string,
): Promise<Schedule | null> => {
  const row = await db.one(sql('SELECT * FROM schedules WHERE ws = ? AND id = ?', ws, id))
  return row === null ? null : toSchedule(row)
}

export type ScheduleFilter = Readonly<{ app: string | null; enabled: boolean | null }>
export type SchedulePage = Readonly<{ beforeId: string | null; limit: number }>

/** Newest first. */
export const listSchedules = async (
  db: Database,
  ws: string,
  { app, enabled, beforeId, limit }: ScheduleFilter & SchedulePage,
): Promise<readonly Schedule[]> => {
  const conditions: readonly (readonly [string, SqlValue])[] = [
    ['ws = ?', ws],
    ...(app === null ? [] : [['app = ?', app] as const]),
    ...(enabled === null ? [] : [['enabled = ?', enabled ? 1 : 0] as const]),
    ...(beforeId === null ? [] : [['id < ?', beforeId] as const]),
  ]
  const rows = await db.all(
    sql(
      `SELECT * FROM schedules INDEXED BY schedules_by_workspace
       WHERE ${conditions.map(([text]) => text).join(' AND ')} ORDER BY id DESC LIMIT ?`,
      ...conditions.map(([, arg]) => arg),
      limit,
    ),
  )
  return rows.map(toSchedule)
}

export type NewSchedule = Pick<
  Schedule,
  'id' | 'ws' | 'app' | 'action' | 'flow' | 'cron' | 'timezone' | 'inputJson' | 'enabled'
> &
  Readonly<{ nextFireAt: number | null; createdBy: string }>

/** Inserts nothing when the app is gone. */
export const insertSchedule = (schedule: NewSchedule): Statement =>
  sql(
    `INSERT INTO schedules
       (id, ws, app, action, flow, cron, timezone, input, enabled, next_fire_at, created_by, created_at, updated_at)
     SELECT ?, apps.ws, apps.key, ?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW}, ${SQL_NOW}
     FROM apps WHERE apps.ws = ? AND apps.key = ? ON CONFLICT (id) DO NOTHING`,
    schedule.id,
    schedule.action,
    schedule.flow,
    schedule.cron,
    schedule.timezone,
    schedule.inputJson,
    schedule.enabled ? 1 : 0,
    schedule.nextFireAt,
    schedule.createdBy,
    schedule.ws,
    schedule.app,
  )

export type ChangedSchedule = Omit<NewSchedule, 'createdBy'> &
  Readonly<{
    /** That it was read with: nothing is changed when it has been changed since. */
    version: number
  }>

export const updateSchedule = (schedule: ChangedSchedule): Statement =>
  sql(
    `UPDATE schedules SET app = ?, action = ?, flow = ?, cron = ?, timezone = ?, input = ?, enabled = ?,
       next_fire_at = ?, waiting_since = NULL, disabled_reason = NULL, target_gone = 0, version = version + 1, updated_at = ${SQL_NOW}
     WHERE ws = ? AND id = ? AND version = ?`,
    schedule.app,
    schedule.action,
    schedule.flow,
    schedule.cron,
    schedule.timezone,
    schedule.inputJson,
    schedule.enabled ? 1 : 0,
    schedule.nextFireAt,
    schedule.ws,
    schedule.id,
    schedule.version,
  )

export const deleteSchedule = (ws: string, id: string): Statement =>
  sql('DELETE FROM schedules WHERE ws = ? AND id = ?', ws, id)

/** With their slots [schedules 1.2]. */
export const deleteSchedulesOfApp = (ws: string, app: string): Statement =>
  sql('DELETE FROM schedules WHERE ws = ? AND app = ?', ws, app)
