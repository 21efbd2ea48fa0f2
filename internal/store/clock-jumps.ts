/** Jumps of the database's clock: how they are seen, and what is put right after one, in one batch by one node. */
import { asNumber, asText } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type ClockReading = Readonly<{
  now: number
  /** How many jumps have been dealt with. */
  epoch: number
}>

export const readClock = async (db: Database): Promise<ClockReading> => {
  const row = await db.one(
    sql(`SELECT ${SQL_NOW} AS now, COALESCE(max(epoch), 0) AS epoch FROM clock_jumps`),
  )
  return { now: asNumber(row?.now), epoch: asNumber(row?.epoch) }
}

/**
 * How far the newest trace that the clock has left lies ahead of it, in milliseconds: of leases and of fires. More than
 * the spread of lease lengths among nodes means that the clock went back while nobody watched.
 */
export const findTraceAheadMs = async (db: Database, leaseMs: number): Promise<number> => {
  const row = await db.one(
    sql(
      `SELECT max(
         COALESCE((SELECT max(lease_until) FROM jobs INDEXED BY jobs_leased WHERE status = 'running') - ?, 0),
         COALESCE((SELECT max(last_fire_at) FROM schedules), 0)) - ${SQL_NOW} AS ahead`,
      leaseMs,
    ),
  )
  return asNumber(row?.ahead)
}

export type TimedSchedule = Readonly<{
  id: string
  cron: string
  timezone: string
  version: number
  nextFireAt: number
}>

/** Enabled schedules of all workspaces, by id. */
export const listTimedSchedules = async (
  db: Database,
  { afterId, limit }: Readonly<{ afterId: string; limit: number }>,
): Promise<readonly TimedSchedule[]> => {
  const rows = await db.all(
    sql(
      `SELECT id, cron, timezone, version, next_fire_at FROM schedules
       WHERE id > ? AND enabled = 1 ORDER BY id LIMIT ?`,
      afterId,
      limit,
    ),
  )
  return rows.map((row: Row) => ({
    id: asText(row.id),
    cron: asText(row.cron),
    timezone: asText(row.timezone),
    version: asNumber(row.version),
    nextFireAt: asNumber(row.next_fire_at),
  }))
}

export type MovedSchedule = Omit<TimedSchedule, 'cron' | 'timezone'> & Readonly<{ to: number }>

export type ClockJump = Readonly<{
  /** Made by the caller. */
  id: string
  /** Of the jump: one more than the last that was dealt with. */
  epoch: number
  byMs: number
  node: string
  leaseMs: number
  /** The jump was within so many milliseconds: a job that started in them started after it. */
  windowMs: number
  moved: readonly MovedSchedule[]
}>

/** Delayed jobs that are put right; the batch must not hold up the database for long. */
const MOST_DELAYED = 10_000

/**
 * One batch; its first statement changes a row for the node that deals with the jump, and the others hang on that row.
 * Not to be tried again when its outcome is unknown: what it shifts would be shifted twice.
 *
 * Every running job gets a whole lease: a living worker renews it, and a dead one's job comes back when it ends. Delays
 * that are counted from an event (a retry, a flow) are brought forward after a jump back; after a jump forward they end
 * early. A job that its caller has put off to a time of day keeps that time.
 */
export const recordJump = (jump: ClockJump): readonly Statement[] => {
  const { id, epoch, byMs, leaseMs, windowMs } = jump
  const isMine = 'EXISTS (SELECT 1 FROM clock_jumps c WHERE c.epoch = ? AND c.id = ?)'
  return [
    sql(
      `INSERT INTO clock_jumps (epoch, id, at, by_ms, node, leases, schedules)
       VALUES (?, ?, ${SQL_NOW}, ?, ?, (SELECT count(*) FROM jobs WHERE status = 'running'), ?)
       ON CONFLICT DO NOTHING`,
      epoch,
      id,
      byMs,
      jump.node,
      jump.moved.length,
    ),
    sql(
      `UPDATE jobs SET lease_until = ${SQL_NOW} + ?,
         started_at = CASE WHEN started_at BETWEEN ${SQL_NOW} - ? AND ${SQL_NOW} THEN started_at
           ELSE min(started_at + ?, ${SQL_NOW}) END
       WHERE status = 'running' AND ${isMine}`,
      leaseMs,
      windowMs,
      byMs,
      epoch,
      id,
    ),
    sql(
      `UPDATE schedules SET next_fire_at = moved.value ->> 3 FROM json_each(?) AS moved
       WHERE schedules.id = moved.value ->> 0 AND version = moved.value ->> 1 AND next_fire_at = moved.value ->> 2
         AND enabled = 1 AND ${isMine}`,
      JSON.stringify(
        jump.moved.map(({ id, version, nextFireAt, to }) => [id, version, nextFireAt, to]),
      ),
      epoch,
      id,
    ),
    ...(byMs < 0 ? bringForward(byMs, sql(isMine, epoch, id)) : []),
  ]
}

const bringForward = (byMs: number, guard: Statement): readonly Statement[] => [
  sql(
    `UPDATE jobs SET run_at = max(${SQL_NOW}, run_at + ?)
     WHERE ${guard.sql} AND (ws, id) IN (
       SELECT ws, id FROM jobs INDEXED BY jobs_delayed
       WHERE status = 'queued' AND ready = 0 AND run_at > ${SQL_NOW}
         AND (failure_count > 0 OR flow_run_id IS NOT NULL)
       ORDER BY run_at LIMIT ${MOST_DELAYED})`,
    byMs,
    ...guard.args,
  ),
  sql(
    `UPDATE schedules SET waiting_since = ${SQL_NOW} WHERE waiting_since > ${SQL_NOW} AND ${guard.sql}`,
    ...guard.args,
  ),
  // what says that somebody is alive, or that something was done, must not lie in the future
  sql(
    `UPDATE leaders SET lease_until = lease_until + ? WHERE lease_until > ${SQL_NOW} AND ${guard.sql}`,
    byMs,
    ...guard.args,
  ),
  sql(
    `UPDATE nodes SET pinged_at = ${SQL_NOW} WHERE pinged_at > ${SQL_NOW} AND ${guard.sql}`,
    ...guard.args,
  ),
  sql(
    `UPDATE git_sources SET last_sync_at = ${SQL_NOW} WHERE last_sync_at > ${SQL_NOW} AND ${guard.sql}`,
    ...guard.args,
  ),
]
