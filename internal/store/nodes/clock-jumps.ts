/** Jumps of the database's clock: how they are detected, and the batch with which one node corrects what they affect. */
import { DAY_MS } from '#core/time-units.ts'
import { asNumber } from '../column.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { exists } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { isNotFenced } from '../workspaces/fence.ts'
import { beginCorrections, HAS_CORRECTIONS } from './clock-corrections.ts'
import { beginFireTimes, HAS_FIRE_TIMES_TO_CORRECT } from './clock-fire-times.ts'

export type ClockReading = Readonly<{
  /** The database's clock, in milliseconds since 1970. */
  now: number
  /** Number of jumps corrected so far. */
  epoch: number
  /** Whether rows are left to be corrected after a jump. */
  hasCorrections: boolean
  /** Whether fire times are left to be corrected after a jump. */
  hasFireTimesToCorrect: boolean
}>

/** Reads the database's clock and the number of its corrected jumps. @throws {DatabaseError} */
export const readClock = async (db: Database): Promise<ClockReading> => {
  const row = await db.one(
    sql`SELECT ${SQL_NOW} AS now, COALESCE(max(epoch), 0) AS epoch, ${HAS_CORRECTIONS} AS has_corrections,
        ${HAS_FIRE_TIMES_TO_CORRECT} AS has_fire_times FROM clock_jumps`,
  )
  return {
    now: asNumber(row?.now),
    epoch: asNumber(row?.epoch),
    hasCorrections: row?.has_corrections === 1,
    hasFireTimesToCorrect: row?.has_fire_times === 1,
  }
}

/** The length of the lease that a running job's worker takes. A claim of an older node does not record it. */
const leaseLength = (leaseMs: number): Statement => sql`COALESCE(jobs.lease_ms, ${leaseMs})`

/**
 * Returns by how many milliseconds the newest lease or fire is ahead of the clock. If it is ahead, the clock jumped back while no
 * scheduler watched it.
 * @param leaseMs length of leases that do not record theirs
 */
export const findTraceAheadMs = async (db: Database, leaseMs: number): Promise<number> => {
  const row = await db.one(
    sql`SELECT max(
        COALESCE((SELECT max(lease_until - ${leaseLength(leaseMs)}) FROM jobs INDEXED BY jobs_leased
          WHERE status = 'running'), 0),
        COALESCE((SELECT max(last_fire_at) FROM schedules), 0)) - ${SQL_NOW} AS ahead`,
  )
  return asNumber(row?.ahead)
}

/** Milliseconds. A machine that sleeps over night jumps by less, and what is deleted after such a jump goes a day early at most. */
export const DOUBTFUL_JUMP_MS = DAY_MS

/** Whether the clock jumped forward by more than a day in the last day, and has not been set back. It may be wrong. */
export const isClockDoubtful = (db: Reader): Promise<boolean> =>
  exists(
    db,
    sql`SELECT 1 FROM clock_jumps
      WHERE by_ms > ${DOUBTFUL_JUMP_MS} AND at BETWEEN ${SQL_NOW} - ${DAY_MS} AND ${SQL_NOW} + ${DAY_MS}`,
  )

export type ClockJump = Readonly<{
  /** UUIDv7, made by the caller. */
  id: string
  /** One more than the epoch of the last corrected jump. */
  epoch: number
  byMs: number
  node: string
  /** Length of leases that do not record theirs. */
  leaseMs: number
  /** The jump happened within these last milliseconds. A job with a start time in this window started after the jump. */
  windowMs: number
}>

/**
 * Returns the batch that corrects what depends on the clock. `jump` inserts a row for the node that corrects the jump, and
 * the other statements depend on that row. A batch with an unknown outcome must not be retried, because it would shift twice.
 *
 * Fire times and the rows that wait for a time follow in small writes (clock-fire-times.ts, clock-corrections.ts).
 *
 * Every running job gets a full lease of its worker's length: a live worker renews it, and the job of a lost one is rescued when
 * it ends. Delays that count from an event, such as those of retries, flows, rates, debounces, durable steps, timeouts, reminders
 * and notifications, are shortened after a jump back. After a jump forward, they simply end early. A job that its caller
 * scheduled for a time of day keeps that time, as does a later start of a flow run and a sleep until a time. Start timeouts of
 * jobs that are due move with the clock in both directions. Of a workspace that leaves this database (workspaces/fence.ts) only
 * fire times are corrected, because its other rows must equal their copies. No job of it has a lease, because the move waited
 * until all had ended: the jobs run again in the other cell. A jump back must not renew them.
 */
export const recordJump = (jump: ClockJump) => {
  const { id, epoch, byMs, leaseMs, windowMs } = jump
  const isMine = sql`EXISTS (SELECT 1 FROM clock_jumps c WHERE c.epoch = ${epoch} AND c.id = ${id})`
  return {
    jump: sql`INSERT INTO clock_jumps (epoch, id, at, by_ms, node, leases, schedules)
      VALUES (${epoch}, ${id}, ${SQL_NOW}, ${byMs}, ${jump.node},
        (SELECT count(*) FROM jobs WHERE status = 'running'), 0)
      ON CONFLICT DO NOTHING`,
    leases: sql`UPDATE jobs SET lease_until = ${SQL_NOW} + ${leaseLength(leaseMs)},
        started_at = CASE WHEN started_at BETWEEN ${SQL_NOW} - ${windowMs} AND ${SQL_NOW} THEN started_at
          ELSE min(started_at + ${byMs}, ${SQL_NOW}) END
      WHERE status = 'running' AND ${isMine} AND ${isNotFenced('jobs')}`,
    fencedLeases: sql`UPDATE jobs SET lease_until = min(lease_until, ${SQL_NOW} - 1)
      WHERE status = 'running' AND ${isMine} AND NOT (${isNotFenced('jobs')})`,
    fireTimes: beginFireTimes({ epoch, byMs }, isMine),
    corrections: beginCorrections({ epoch, byMs, windowMs }, isMine),
    broughtForward: byMs < 0 ? bringForward(byMs, isMine) : [],
  }
}

/**
 * Jobs that run. Their steps wait in the guest, or once the job is suspended. It is a function, because the build may load this
 * module before workspaces/fence.ts.
 */
const runningJobs = (): Statement => sql`SELECT id FROM jobs INDEXED BY jobs_leased
  WHERE status = 'running' AND ${isNotFenced('jobs')}`

const bringForward = (byMs: number, guard: Statement): readonly Statement[] => [
  sql`UPDATE job_steps SET due_at = due_at + ${byMs} WHERE ${guard} AND status = 'running' AND due_at > ${SQL_NOW}
    AND job_id IN (${runningJobs()})`,
  // leases, pings and times of past work must not lie in the future
  sql`UPDATE leaders SET lease_until = lease_until + ${byMs} WHERE lease_until > ${SQL_NOW} AND ${guard}`,
  sql`UPDATE nodes SET pinged_at = ${SQL_NOW} WHERE pinged_at > ${SQL_NOW} AND ${guard}`,
  sql`UPDATE git_sources SET last_sync_at = ${SQL_NOW}
    WHERE last_sync_at > ${SQL_NOW} AND ${guard} AND ${isNotFenced('git_sources')}`,
]
