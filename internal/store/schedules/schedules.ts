/** Reading and changing schedules. fire-times.ts fires them. */
import { OVERLAPS } from '#core/schedule/overlap.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { bool, number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { isAsRead, type RowMatch } from '../row-match.ts'
import { type IdPage, type OrderedList, positionOf, searchRows } from '../search.ts'
import { allOf, raw, SQL_NOW, sql } from '../sql.ts'

/** A schedule with all its columns. */
export const scheduleRow = row({
  id: text,
  ws: text,
  app: text,
  /** Exactly one of action and flow is not null. */
  action: text.nullable,
  flow: text.nullable,
  cron: text,
  timezone: text,
  inputJson: text('input'),
  enabled: bool,
  overlap: oneOf(OVERLAPS),
  version: number,
  /** Milliseconds since 1970; null while disabled. */
  nextFireAt: time.nullable,
  lastFireAt: time.nullable,
  /** Since when its fire time waits for room in the workspace's queue or for the end of the former run; null if none waits. */
  waitingSince: time.nullable,
  lastJobId: text.nullable,
  lastFlowRunId: text.nullable,
  disabledReason: text.nullable,
  /** The key that its creator gave it; null without one, and for a schedule that a manifest manages. */
  key: text.nullable,
  /** Its key in the manifest that manages it; null if a person manages it. */
  managedKey: text.nullable,
  createdBy: text,
  createdAt: time,
  updatedAt: time,
})
export type Schedule = RowOf<typeof scheduleRow>

/** Finds a schedule of the workspace. */
export const findSchedule = (db: Database, ws: string, id: string): Promise<Schedule | null> =>
  scheduleRow.one(
    db,
    sql`SELECT ${scheduleRow.columns()} FROM schedules WHERE ws = ${ws} AND id = ${id}`,
  )

export type ScheduleAddress = Readonly<{ ws: string; app: string; key: string }>

/** Finds the schedule with a key of its creator. */
export const findScheduleByKey = (
  db: Database,
  { ws, app, key }: ScheduleAddress,
): Promise<Schedule | null> =>
  scheduleRow.one(
    db,
    sql`SELECT ${scheduleRow.columns()} FROM schedules WHERE ws = ${ws} AND app = ${app} AND key = ${key}`,
  )

export type ScheduleFilter = Readonly<{ app: string | null; enabled: boolean | null }>
/** Both indexes end with the id, as each index does here, so that the schedules of an app are also in the order of the list. */
const listOf = (ws: string, { app, enabled }: ScheduleFilter): OrderedList => ({
  from: raw(`schedules INDEXED BY ${app === null ? 'schedules_by_workspace' : 'schedules_by_app'}`),
  within: allOf(sql`ws = ${ws}`, app === null ? null : sql`app = ${app}`),
  matching: allOf(enabled === null ? null : sql`enabled = ${enabled}`),
  key: ['id'],
})

/** Lists the schedules of a workspace, newest first. */
export const listSchedules = (
  db: Reader,
  ws: string,
  { beforeId, limit, ...filter }: ScheduleFilter & IdPage,
): Promise<readonly Schedule[]> =>
  searchRows(db, listOf(ws, filter), {
    columns: scheduleRow.columns(),
    read: (page) => scheduleRow.all(db, page),
    before: positionOf(beforeId),
    limit,
  })

/** Lists the sizes in bytes of the inputs that `listSchedules` reads, in its order. */
export const listScheduleSizes = (
  db: Database,
  ws: string,
  { beforeId, limit, ...filter }: ScheduleFilter & IdPage,
): Promise<readonly number[]> =>
  searchRows(db, listOf(ws, filter), {
    columns: raw('octet_length(input)'),
    read: (page) => number.all(db, page),
    before: positionOf(beforeId),
    limit,
  })

export type NewSchedule = Pick<
  Schedule,
  | 'id'
  | 'ws'
  | 'app'
  | 'action'
  | 'flow'
  | 'cron'
  | 'timezone'
  | 'inputJson'
  | 'enabled'
  | 'overlap'
> &
  Readonly<{ nextFireAt: number | null; createdBy: string }>

/** Inserts a schedule. Inserts nothing if the app does not exist, or if it has a schedule with this key. */
export const insertSchedule = (schedule: NewSchedule & Pick<Schedule, 'key'>): Statement =>
  sql`INSERT INTO schedules
      (id, ws, app, action, flow, cron, timezone, input, enabled, overlap, next_fire_at, key, created_by, created_at, updated_at)
    SELECT ${schedule.id}, apps.ws, apps.key, ${schedule.action}, ${schedule.flow}, ${schedule.cron},
      ${schedule.timezone}, ${schedule.inputJson}, ${schedule.enabled}, ${schedule.overlap}, ${schedule.nextFireAt},
      ${schedule.key}, ${schedule.createdBy}, ${SQL_NOW}, ${SQL_NOW}
    FROM apps WHERE apps.ws = ${schedule.ws} AND apps.key = ${schedule.app} ON CONFLICT DO NOTHING`

export type ChangedSchedule = Omit<NewSchedule, 'createdBy'> &
  Readonly<{
    /** The version that was read. If the schedule has another one now, nothing changes. */
    version: number
  }>

/** A condition on a row of schedules: it is as it was read, and the app of the change has no other schedule with its key. */
const isChangeable = ({ ws, app, id, version }: ChangedSchedule): Statement =>
  sql`ws = ${ws} AND id = ${id} AND version = ${version} AND NOT EXISTS (
    SELECT 1 FROM schedules o WHERE o.ws = ${ws} AND o.app = ${app} AND o.key = schedules.key AND o.id <> ${id})`

/** A condition on a row of schedules: the change applies to it and gives it another fire time. */
export const isReplaced = (schedule: ChangedSchedule): Statement =>
  sql`${isChangeable(schedule)} AND next_fire_at IS NOT ${schedule.nextFireAt}`

/** Replaces a schedule unless it was changed since it was read, or its new app has another schedule with its key. */
export const updateSchedule = (schedule: ChangedSchedule): Statement =>
  sql`UPDATE schedules SET app = ${schedule.app}, action = ${schedule.action}, flow = ${schedule.flow},
      cron = ${schedule.cron}, timezone = ${schedule.timezone}, input = ${schedule.inputJson},
      enabled = ${schedule.enabled}, overlap = ${schedule.overlap}, next_fire_at = ${schedule.nextFireAt}, waiting_since = NULL,
      disabled_reason = NULL, target_gone = 0, version = version + 1, updated_at = max(${SQL_NOW}, updated_at + 1)
    WHERE ${isChangeable(schedule)}`

/** Deletes a schedule, if it is as the caller has read it. Its fire times stay until their retention. */
export const deleteSchedule = (ws: string, id: string, match: RowMatch): Statement => {
  const row = sql`schedules WHERE ws = ${ws} AND id = ${id}`
  return sql`DELETE FROM ${row} AND ${isAsRead(row, match)}`
}
