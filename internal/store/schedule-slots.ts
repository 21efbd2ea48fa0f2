/**
 * The firing of schedules. What belongs to a slot is one batch: the job, what became of the slot, the next fire time.
 * `schedule_slots` has one row for a slot, whoever fires it; the job is inserted only while the slot is due and has none.
 */
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'
import { type Schedule, toSchedule } from './schedules.ts'

export type DueSchedule = Schedule &
  Readonly<{
    /** The slot: its `next_fire_at`. */
    slot: number
    /** The database's clock when it was read. */
    now: number
  }>

const toDueSchedule = (row: Row): DueSchedule => ({
  ...toSchedule(row),
  slot: asNumber(row.next_fire_at),
  now: asNumber(row.now),
})

/** Those that are due for at least `graceMs` and wait for no room, the longest due first. */
export const listDueSchedules = async (
  db: Database,
  { graceMs, limit }: Readonly<{ graceMs: number; limit: number }>,
): Promise<readonly DueSchedule[]> => {
  const rows = await db.all(
    sql(
      `SELECT *, ${SQL_NOW} AS now FROM schedules INDEXED BY schedules_due
       WHERE enabled = 1 AND waiting_since IS NULL AND next_fire_at <= ${SQL_NOW} - ? ORDER BY next_fire_at LIMIT ?`,
      graceMs,
      limit,
    ),
  )
  return rows.map(toDueSchedule)
}

/** Workspaces with fire times that wait for room, by id. */
export const listWaitingWorkspaces = async (
  db: Database,
  { afterWs, limit }: Readonly<{ afterWs: string; limit: number }>,
): Promise<readonly string[]> => {
  const rows = await db.all(
    sql(
      `SELECT DISTINCT ws FROM schedules INDEXED BY schedules_waiting
       WHERE enabled = 1 AND waiting_since IS NOT NULL AND ws > ? ORDER BY ws LIMIT ?`,
      afterWs,
      limit,
    ),
  )
  return rows.map((row) => asText(row.ws))
}

/** Schedules of a workspace whose fire time waits for room, the longest due first. */
export const listWaitingSchedules = async (
  db: Database,
  { ws, limit }: Readonly<{ ws: string; limit: number }>,
): Promise<readonly DueSchedule[]> => {
  const rows = await db.all(
    sql(
      `SELECT *, ${SQL_NOW} AS now FROM schedules INDEXED BY schedules_waiting
       WHERE enabled = 1 AND waiting_since IS NOT NULL AND ws = ? ORDER BY next_fire_at LIMIT ?`,
      ws,
      limit,
    ),
  )
  return rows.map(toDueSchedule)
}

/** Milliseconds until the next schedule is due, negative when one is; null when none will be. Those that wait for room are left out. */
export const findNextDueMs = async (db: Database): Promise<number | null> => {
  const row = await db.one(
    sql(
      `SELECT MIN(next_fire_at) - ${SQL_NOW} AS ms FROM schedules INDEXED BY schedules_due
       WHERE enabled = 1 AND waiting_since IS NULL`,
    ),
  )
  return asNumberOrNull(row?.ms ?? null)
}

type Slot = Pick<DueSchedule, 'id' | 'ws' | 'slot' | 'version'>

const IS_DUE = `EXISTS (SELECT 1 FROM schedules s WHERE s.id = ? AND s.version = ? AND s.enabled = 1
    AND s.next_fire_at = ? AND s.next_fire_at <= ${SQL_NOW})`

/** A guard: the slot is due and nobody has fired it. */
export const isSlotDue = ({ id, slot, version }: Slot): Statement =>
  sql(
    `${IS_DUE} AND NOT EXISTS (SELECT 1 FROM schedule_slots WHERE schedule_id = ? AND slot = ?)`,
    id,
    version,
    slot,
    id,
    slot,
  )

export type Fired = Slot &
  Readonly<{
    /** What the slot came to: a job, or a flow run. */
    made: Readonly<{ kind: 'job' | 'flow_run'; id: string }>
    nextFireAt: number | null
    /** Of `@every`: the next fire time counts from this fire, as the database's clock shows it; else null. */
    everyMs: number | null
    /** Why it was fired late, where that is known. */
    reason: string | null
  }>

/** Behind the statements that insert the job or run: they do nothing where those inserted none. */
export const recordFired = (fired: Fired): readonly Statement[] => {
  const { ws, id, slot, made, nextFireAt, everyMs, reason } = fired
  const table = made.kind === 'job' ? 'jobs' : 'flow_runs'
  return [
    sql(
      `INSERT INTO schedule_slots (schedule_id, slot, outcome, ${made.kind}_id, reason, at)
       SELECT ?, ?, 'fired', made.id, ?, ${SQL_NOW} FROM ${table} made WHERE made.ws = ? AND made.id = ?
       ON CONFLICT DO NOTHING`,
      id,
      slot,
      reason,
      ws,
      made.id,
    ),
    sql(
      `UPDATE schedules SET next_fire_at = COALESCE(${SQL_NOW} + ?, ?), waiting_since = NULL,
         enabled = ?, disabled_reason = ?, last_fire_at = ${SQL_NOW}, last_${made.kind}_id = ?
       WHERE id = ? AND next_fire_at = ? AND changes() = 1`,
      everyMs,
      nextFireAt,
      nextFireAt === null ? 0 : 1,
      nextFireAt === null ? NEVER_AGAIN : null,
      made.id,
      id,
      slot,
    ),
  ]
}

const NEVER_AGAIN = 'It never fires again.'

export type Skipped = Readonly<{
  scheduleId: string
  firstSlot: number
  lastSlot: number
  count: number
  reason: string
}>

export const insertSkipped = ({
  scheduleId,
  firstSlot,
  lastSlot,
  count,
  reason,
}: Skipped): Statement =>
  sql(
    `INSERT INTO schedule_slots (schedule_id, slot, outcome, last_slot, count, reason, at)
     SELECT ?, ?, 'skipped', ?, ?, ?, ${SQL_NOW} WHERE changes() = 1 ON CONFLICT DO NOTHING`,
    scheduleId,
    firstSlot,
    lastSlot,
    count,
    reason,
  )

/** On to the next slot without firing this one: it was fired before, or cannot be. */
export const passOver = ({ id, slot, version }: Slot, nextFireAt: number): Statement =>
  sql(
    `UPDATE schedules SET next_fire_at = ?, waiting_since = NULL
     WHERE id = ? AND version = ? AND enabled = 1 AND next_fire_at = ?`,
    nextFireAt,
    id,
    version,
    slot,
  )

/** Its workspace's queue is full: the fire time stays due, and waits beside the others for room. */
export const waitForRoom = ({ id, slot, version }: Slot): Statement =>
  sql(
    `UPDATE schedules SET waiting_since = ${SQL_NOW}
     WHERE id = ? AND version = ? AND enabled = 1 AND next_fire_at = ? AND waiting_since IS NULL`,
    id,
    version,
    slot,
  )

export type DisableReason = Readonly<{
  text: string
  /** It goes on when a deployment brings its target back. */
  isTargetGone: boolean
}>

/** What waiting cannot mend [schedules 6.1]. */
export const disableSchedule = ({ id, slot, version }: Slot, reason: DisableReason): Statement =>
  sql(
    `UPDATE schedules SET enabled = 0, next_fire_at = NULL, waiting_since = NULL, disabled_reason = ?, target_gone = ?,
       version = version + 1, updated_at = ${SQL_NOW}
     WHERE id = ? AND version = ? AND enabled = 1 AND next_fire_at = ?`,
    reason.text,
    reason.isTargetGone ? 1 : 0,
    id,
    version,
    slot,
  )

export const findSlotOutcome = async (
  db: Database,
  scheduleId: string,
  slot: number,
): Promise<string | null> => {
  const row = await db.one(
    sql('SELECT outcome FROM schedule_slots WHERE schedule_id = ? AND slot = ?', scheduleId, slot),
  )
  return row === null ? null : asText(row.outcome)
}

export type ScheduleSlot = Readonly<{
  slot: number
  outcome: string
  jobId: string | null
  flowRunId: string | null
  lastSlot: number | null
  count: number
  reason: string | null
  at: number
}>

const toSlot = (row: Row): ScheduleSlot => ({
  slot: asNumber(row.slot),
  outcome: asText(row.outcome),
  jobId: asTextOrNull(row.job_id),
  flowRunId: asTextOrNull(row.flow_run_id),
  lastSlot: asNumberOrNull(row.last_slot),
  count: asNumber(row.count),
  reason: asTextOrNull(row.reason),
  at: asNumber(row.at),
})

export type SlotPage = Readonly<{ before: number | null; limit: number }>

const WAITS = 'The queue of the workspace is full: it waits for room.'

/** Newest first, with the fire time that waits for room. */
export const listScheduleSlots = async (
  db: Database,
  scheduleId: string,
  { before, limit }: SlotPage,
): Promise<readonly ScheduleSlot[]> => {
  const rows = await db.all(
    sql(
      `SELECT slot, outcome, job_id, flow_run_id, last_slot, count, reason, at FROM schedule_slots
       WHERE schedule_id = ? AND (? IS NULL OR slot < ?)
       UNION ALL
       SELECT next_fire_at, 'queued', NULL, NULL, NULL, 1, ?, waiting_since FROM schedules
       WHERE id = ? AND waiting_since IS NOT NULL AND (? IS NULL OR next_fire_at < ?)
       ORDER BY slot DESC LIMIT ?`,
      scheduleId,
      before,
      before,
      WAITS,
      scheduleId,
      before,
      before,
      limit,
    ),
  )
  return rows.map(toSlot)
}

const isOlder = `at < ${SQL_NOW} - ? * 86400000`

/** A look without a write: an idle node writes nothing. */
export const hasOldScheduleSlots = async (db: Database, days: number): Promise<boolean> =>
  (await db.one(sql(`SELECT 1 FROM schedule_slots WHERE ${isOlder} LIMIT 1`, days))) !== null

export const deleteOldScheduleSlots = (days: number, limit: number): Statement =>
  sql(
    `DELETE FROM schedule_slots WHERE (schedule_id, slot) IN
       (SELECT schedule_id, slot FROM schedule_slots WHERE ${isOlder} ORDER BY at LIMIT ?)`,
    days,
    limit,
  )
