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

/** Those that are due for at least `graceMs`, the longest due first. */
export const listDueSchedules = async (
  db: Database,
  { graceMs, limit }: Readonly<{ graceMs: number; limit: number }>,
): Promise<readonly DueSchedule[]> => {
  const rows = await db.all(
    sql(
      `SELECT *, ${SQL_NOW} AS now FROM schedules INDEXED BY schedules_due
       WHERE enabled = 1 AND next_fire_at <= ${SQL_NOW} - ? ORDER BY next_fire_at LIMIT ?`,
      graceMs,
      limit,
    ),
  )
  return rows.map((row) => ({
    ...toSchedule(row),
    slot: asNumber(row.next_fire_at),
    now: asNumber(row.now),
  }))
}

/** Milliseconds until the next schedule is due, negative when one is; null when none will be. */
export const findNextDueMs = async (db: Database): Promise<number | null> => {
  const row = await db.one(
    sql(
      `SELECT MIN(next_fire_at) - ${SQL_NOW} AS ms FROM schedules INDEXED BY schedules_due WHERE enabled = 1`,
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
  }>

/** Behind the statements that insert the job or run: they do nothing where those inserted none. */
export const recordFired = ({ ws, id, slot, made, nextFireAt }: Fired): readonly Statement[] => {
  const table = made.kind === 'job' ? 'jobs' : 'flow_runs'
  return [
    sql(
      `INSERT INTO schedule_slots (schedule_id, slot, outcome, ${made.kind}_id, at)
       SELECT ?, ?, 'fired', made.id, ${SQL_NOW} FROM ${table} made WHERE made.ws = ? AND made.id = ?
       ON CONFLICT DO NOTHING`,
      id,
      slot,
      ws,
      made.id,
    ),
    sql(
      `UPDATE schedules SET next_fire_at = ?, enabled = ?, disabled_reason = ?,
         last_fire_at = ${SQL_NOW}, last_${made.kind}_id = ?
       WHERE id = ? AND next_fire_at = ? AND changes() = 1`,
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
    `UPDATE schedules SET next_fire_at = ? WHERE id = ? AND version = ? AND enabled = 1 AND next_fire_at = ?`,
    nextFireAt,
    id,
    version,
    slot,
  )

/** What waiting cannot mend (document 1, Schedule 4). */
export const disableSchedule = ({ id, slot, version }: Slot, reason: string): Statement =>
  sql(
    `UPDATE schedules SET enabled = 0, next_fire_at = NULL, disabled_reason = ?, version = version + 1, updated_at = ${SQL_NOW}
     WHERE id = ? AND version = ? AND enabled = 1 AND next_fire_at = ?`,
    reason,
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

/** Newest first. */
export const listScheduleSlots = async (
  db: Database,
  scheduleId: string,
  { before, limit }: SlotPage,
): Promise<readonly ScheduleSlot[]> => {
  const rows = await db.all(
    sql(
      `SELECT * FROM schedule_slots WHERE schedule_id = ? AND (? IS NULL OR slot < ?)
       ORDER BY slot DESC LIMIT ?`,
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
