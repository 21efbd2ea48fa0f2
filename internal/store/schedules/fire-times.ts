/**
 * Firing schedules. One batch writes everything that belongs to a fire time: the job, the outcome, the next fire time.
 * `schedule_slots` has one row for each fire time. The job is inserted only while the fire time is due and has no row.
 */

import { SLOT_OUTCOMES } from '#core/schedule/overlap.ts'
import type { Database, Statement } from '../database.ts'
import type { DuePage } from '../due-place.ts'
import { type DueList, readDueRows } from '../due-rows.ts'
import { bool, number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { isBehind } from '../search.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { scheduleRow } from './schedules.ts'

/**
 * A condition on a row of schedules: its latest job or run has not ended.
 * @param s the name of the row
 */
const isFormerOpen = (s: string): Statement =>
  sql`(EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ${raw(s)}.ws AND j.id = ${raw(s)}.last_job_id AND j.completed_at IS NULL)
    OR EXISTS (SELECT 1 FROM flow_runs r
      WHERE r.ws = ${raw(s)}.ws AND r.id = ${raw(s)}.last_flow_run_id AND r.completed_at IS NULL))`

const dueScheduleRow = row({
  ...scheduleRow.fields,
  /** The fire time that is due, milliseconds since 1970. */
  fireTime: time('next_fire_at'),
  /** The database's clock when the row was read, milliseconds since 1970. */
  now: time(SQL_NOW),
  isFormerOpen: bool(isFormerOpen('schedules')),
})
export type DueSchedule = RowOf<typeof dueScheduleRow>

const DUE_SCHEDULES = {
  from: 'schedules INDEXED BY schedules_due',
  within: sql`enabled = 1 AND waiting_since IS NULL AND ${isNotHeld('ws')}`,
  key: ['next_fire_at', 'id'],
} as const satisfies DueList

/** Lists schedules that have been due for at least `graceMs` and do not wait for room in the queue, the longest due first. */
export const listDueSchedules = (
  db: Database,
  { graceMs, ...page }: DuePage & Readonly<{ graceMs: number }>,
): Promise<readonly DueSchedule[]> =>
  readDueRows(
    db,
    { ...DUE_SCHEDULES, until: sql`${SQL_NOW} - ${graceMs}` },
    page,
    ({ where, limit }) =>
      dueScheduleRow.all(
        db,
        // the inner list reads the index alone, because most of its rows may be left out
        sql`SELECT ${dueScheduleRow.columns()} FROM schedules WHERE (ws, id) IN (
            SELECT ws, id FROM ${raw(DUE_SCHEDULES.from)} WHERE ${where} ORDER BY next_fire_at, id LIMIT ${limit})
          ORDER BY next_fire_at, id`,
      ),
  )

/** Lists workspaces with fire times that wait for room, by id. */
export const listWaitingWorkspaces = (
  db: Database,
  { afterWs, limit }: Readonly<{ afterWs: string; limit: number }>,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT DISTINCT ws FROM schedules INDEXED BY schedules_waiting
      WHERE enabled = 1 AND waiting_since IS NOT NULL AND ws > ${afterWs} AND ${isNotHeld('ws')}
      ORDER BY ws LIMIT ${limit}`,
  )

/** Lists schedules of a workspace whose fire time waits for room, the longest due first, except those whose former run is open. */
export const listWaitingSchedules = (
  db: Database,
  { ws, limit }: Readonly<{ ws: string; limit: number }>,
): Promise<readonly DueSchedule[]> =>
  dueScheduleRow.all(
    db,
    sql`SELECT ${dueScheduleRow.columns()} FROM schedules INDEXED BY schedules_waiting
      WHERE enabled = 1 AND waiting_since IS NOT NULL AND ws = ${ws}
        AND NOT (overlap = 'queue' AND ${isFormerOpen('schedules')})
      ORDER BY next_fire_at LIMIT ${limit}`,
  )

/** Returns the milliseconds until the next schedule is due; negative if one is, null if none will be. It ignores waiting ones. */
export const findNextDueMs = (db: Database): Promise<number | null> =>
  number.nullable.one(
    db,
    sql`SELECT MIN(next_fire_at) - ${SQL_NOW} FROM schedules INDEXED BY schedules_due
      WHERE enabled = 1 AND waiting_since IS NULL AND ${isNotHeld('ws')}`,
  )

type FireTime = Pick<DueSchedule, 'id' | 'ws' | 'fireTime' | 'version'>

/** A guard: the fire time is due and was not fired, and no former run is open that it must not overlap. */
export const isFireTimeDue = ({ id, fireTime, version }: FireTime): Statement =>
  sql`EXISTS (SELECT 1 FROM schedules s WHERE s.id = ${id} AND s.version = ${version} AND s.enabled = 1
      AND s.next_fire_at = ${fireTime} AND s.next_fire_at <= ${SQL_NOW}
      AND (s.overlap = 'allow' OR NOT ${isFormerOpen('s')}))
    AND NOT EXISTS (SELECT 1 FROM schedule_slots WHERE schedule_id = ${id} AND slot = ${fireTime})`

export type Fired = FireTime &
  Readonly<{
    /** The job or flow run that was inserted. */
    made: Readonly<{ kind: 'job' | 'flow_run'; id: string }>
    nextFireAt: number | null
    /** For `@every`: milliseconds from this fire to the next, by the database's clock. */
    everyMs: number | null
    /** Why it was fired late, if known. */
    reason: string | null
  }>

/** Records a fire. Runs after the statements that insert the job or run, and does nothing if they inserted none. */
export const recordFired = (fired: Fired): readonly Statement[] => {
  const { ws, id, fireTime, made, nextFireAt, everyMs, reason } = fired
  const table = raw(made.kind === 'job' ? 'jobs' : 'flow_runs')
  const column = raw(`${made.kind}_id`)
  return [
    sql`INSERT INTO schedule_slots (schedule_id, slot, outcome, ${column}, reason, at)
      SELECT ${id}, ${fireTime}, 'fired', made.id, ${reason}, ${SQL_NOW} FROM ${table} made
      WHERE made.ws = ${ws} AND made.id = ${made.id}
      ON CONFLICT DO NOTHING`,
    sql`UPDATE schedules SET next_fire_at = COALESCE(${SQL_NOW} + ${everyMs}, ${nextFireAt}), waiting_since = NULL,
        enabled = ${nextFireAt !== null}, disabled_reason = ${nextFireAt === null ? NEVER_AGAIN : null},
        last_fire_at = ${SQL_NOW}, last_${column} = ${made.id}
      WHERE id = ${id} AND next_fire_at = ${fireTime} AND changes() = 1`,
  ]
}

const NEVER_AGAIN = 'It never fires again.'

export type Skipped = Readonly<{
  scheduleId: string
  first: number
  last: number
  count: number
  reason: string
}>

/** Records fire times that were not fired. Runs right after the statement that advances the schedule, and only if it did. */
export const insertSkipped = ({ scheduleId, first, last, count, reason }: Skipped): Statement =>
  sql`INSERT INTO schedule_slots (schedule_id, slot, outcome, last_slot, count, reason, at)
    SELECT ${scheduleId}, ${first}, 'skipped', ${last}, ${count}, ${reason}, ${SQL_NOW}
    WHERE changes() = 1 ON CONFLICT DO NOTHING`

const REPLACED = 'The schedule was disabled or changed before it could fire.'

/**
 * Records the due fire time of schedules as skipped. Runs before the statement that replaces the fire time.
 * @param those a condition on the rows of schedules that lose it
 */
export const insertReplaced = (those: Statement): Statement =>
  sql`INSERT INTO schedule_slots (schedule_id, slot, outcome, last_slot, count, reason, at)
    SELECT id, next_fire_at, 'skipped', next_fire_at, 1, ${REPLACED}, ${SQL_NOW} FROM schedules
    WHERE enabled = 1 AND next_fire_at <= ${SQL_NOW} AND ${those}
    ON CONFLICT DO NOTHING`

/** Advances to the next fire time without firing this one, which was already fired or cannot fire. */
export const passOver = ({ id, fireTime, version }: FireTime, nextFireAt: number): Statement =>
  sql`UPDATE schedules SET next_fire_at = ${nextFireAt}, waiting_since = NULL
    WHERE id = ${id} AND version = ${version} AND enabled = 1 AND next_fire_at = ${fireTime}`

/** Lets a due fire time wait, for room in the queue of the workspace or for the end of the former run. */
export const letWait = ({ id, fireTime, version }: FireTime): Statement =>
  sql`UPDATE schedules SET waiting_since = ${SQL_NOW}
    WHERE id = ${id} AND version = ${version} AND enabled = 1 AND next_fire_at = ${fireTime} AND waiting_since IS NULL`

export type DisableReason = Readonly<{ text: string }> &
  (
    | Readonly<{ isTargetGone: false }>
    | Readonly<{
        /** Enables the schedule again when a deployment brings its target back. */
        isTargetGone: true
        /** The app's deployment without the target; null if it has none. With another one, the schedule stays enabled. */
        deploymentId: string | null
      }>
  )

/** Disables a schedule whose fire time can never succeed [schedules 6.1]. */
export const disableSchedule = (
  { id, fireTime, version }: FireTime,
  reason: DisableReason,
): Statement => {
  const isStill = reason.isTargetGone
    ? sql`(SELECT deployment_id FROM apps WHERE apps.ws = schedules.ws AND apps.key = schedules.app) IS ${reason.deploymentId}`
    : TRUE
  return sql`UPDATE schedules SET enabled = 0, next_fire_at = NULL, waiting_since = NULL,
      disabled_reason = ${reason.text}, target_gone = ${reason.isTargetGone},
      version = version + 1, updated_at = max(${SQL_NOW}, updated_at + 1)
    WHERE id = ${id} AND version = ${version} AND enabled = 1 AND next_fire_at = ${fireTime} AND ${isStill}`
}

/** Finds the outcome of a fire time; null if it has no record. */
export const findFireTimeOutcome = (
  db: Database,
  scheduleId: string,
  fireTime: number,
): Promise<string | null> =>
  text.one(
    db,
    sql`SELECT outcome FROM schedule_slots WHERE schedule_id = ${scheduleId} AND slot = ${fireTime}`,
  )

const scheduleSlotRow = row({
  slot: number,
  outcome: oneOf(SLOT_OUTCOMES),
  jobId: text.nullable,
  flowRunId: text.nullable,
  lastSlot: number.nullable,
  count: number,
  reason: text.nullable,
  at: time,
})
export type ScheduleSlot = RowOf<typeof scheduleSlotRow>

export type SlotPage = Readonly<{ before: number | null; limit: number }>

const WAITS_FOR_ROOM = 'The queue of the workspace is full: it waits for room.'
const WAITS_FOR_RUN = 'The former run has not ended: it waits for the end.'
/** The run ended a moment ago, or the queue is also full. */
const WAITS_FOR_TURN = 'The former run has ended: it fires next, once the queue has room.'

/** Lists fire times of a schedule, newest first, including the one that waits. */
export const listScheduleSlots = (
  db: Database,
  scheduleId: string,
  { before, limit }: SlotPage,
): Promise<readonly ScheduleSlot[]> =>
  scheduleSlotRow.all(
    db,
    sql`SELECT ${scheduleSlotRow.columns()} FROM schedule_slots
      WHERE schedule_id = ${scheduleId} AND ${isBehind('slot', before)}
      UNION ALL
      SELECT next_fire_at, 'queued', NULL, NULL, NULL, 1,
        CASE WHEN overlap <> 'queue' OR (last_job_id IS NULL AND last_flow_run_id IS NULL) THEN ${WAITS_FOR_ROOM}
          WHEN ${isFormerOpen('schedules')} THEN ${WAITS_FOR_RUN} ELSE ${WAITS_FOR_TURN} END, waiting_since FROM schedules
      WHERE id = ${scheduleId} AND waiting_since IS NOT NULL AND ${isBehind('next_fire_at', before)}
      ORDER BY slot DESC LIMIT ${limit}`,
  )
