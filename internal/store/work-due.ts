/**
 * What the duties of a scheduler have to do, and when, from one read of one snapshot. Milliseconds count from the database's
 * clock: 0 or less is due now, and null is never due without another write.
 */
import { REVOCATION_MS } from './credentials/token-revocations.ts'
import type { Database } from './database.ts'
import { AWAITS_ROOM } from './flows/room.ts'
import { HAS_CORRECTIONS } from './nodes/clock-corrections.ts'
import { HAS_FIRE_TIMES_TO_CORRECT } from './nodes/clock-fire-times.ts'
import { bool, number, type RowOf, row, time } from './row.ts'
import { SQL_NOW, sql } from './sql.ts'
import { isNotHeld } from './workspaces/held.ts'

const NOT_HELD = isNotHeld('ws')
const PENDING_EVENTS = sql`events INDEXED BY events_pending WHERE pending = 1 AND ${NOT_HELD}`
const PENDING_STARTS = sql`event_starts INDEXED BY event_starts_pending WHERE status = 'pending' AND ${NOT_HELD}`

const workDueRow = row({
  /** The database's clock, in milliseconds since 1970. */
  now: time(SQL_NOW),
  /** Number of jumps of the clock corrected so far. */
  epoch: number(sql`(SELECT COALESCE(max(epoch), 0) FROM clock_jumps)`),
  /** Whether rows are left to be corrected after a jump. */
  hasCorrections: bool(HAS_CORRECTIONS),
  /** Whether fire times are left to be corrected after a jump. */
  hasFireTimesToCorrect: bool(HAS_FIRE_TIMES_TO_CORRECT),
  /** A job is running or may be claimed, so work may come at any moment. */
  isBusy: bool(
    sql`(EXISTS (SELECT 1 FROM jobs INDEXED BY jobs_leased WHERE status = 'running')
      OR EXISTS (SELECT 1 FROM jobs INDEXED BY jobs_ready WHERE status = 'queued' AND ready = 1 AND blocked = 0))`,
  ),
  /** Milliseconds until the first delayed job may be claimed. */
  delayedMs: number.nullable(
    sql`(SELECT min(run_at) FROM jobs INDEXED BY jobs_delayed WHERE status = 'queued' AND ready = 0) - ${SQL_NOW}`,
  ),
  /** Milliseconds until the first lease ends. */
  leaseMs: number.nullable(
    sql`(SELECT min(lease_until) FROM jobs INDEXED BY jobs_leased WHERE status = 'running' AND ${NOT_HELD}) - ${SQL_NOW}`,
  ),
  /** Milliseconds until the first start timeout of a queued job is over. */
  startTimeoutMs: number.nullable(
    sql`(SELECT min(start_by) FROM jobs INDEXED BY jobs_to_start
      WHERE start_by IS NOT NULL AND status = 'queued' AND attempt = 0 AND ${NOT_HELD}) - ${SQL_NOW}`,
  ),
  /** Milliseconds until the first wait of a flow run is over. */
  waitMs: number.nullable(
    sql`(SELECT min(wait_until) FROM flow_runs INDEXED BY flow_runs_by_deadline
      WHERE wait_until IS NOT NULL AND ${NOT_HELD}) - ${SQL_NOW}`,
  ),
  reminderMs: number.nullable(
    sql`(SELECT min(remind_at) FROM flow_runs INDEXED BY flow_runs_by_reminder
      WHERE remind_at IS NOT NULL AND ${NOT_HELD}) - ${SQL_NOW}`,
  ),
  /**
   * Milliseconds since the oldest event was sent whose delivery has not ended, or that has not started all its targets. After a
   * jump back of the clock, the time of such an event lies ahead, and counts by its distance.
   */
  pendingEventAgeMs: number.nullable(
    sql`(SELECT max(abs(${SQL_NOW} - at)) FROM (
      SELECT min(at) AS at FROM ${PENDING_EVENTS} UNION ALL SELECT max(at) FROM ${PENDING_EVENTS}
      UNION ALL SELECT min(at) FROM ${PENDING_STARTS} UNION ALL SELECT max(at) FROM ${PENDING_STARTS}))`,
  ),
  hasRunsToCancel: bool(
    sql`EXISTS (SELECT 1 FROM flow_runs INDEXED BY flow_runs_to_cancel
      WHERE cancel_reason IS NOT NULL AND completed_at IS NULL AND ${NOT_HELD})`,
  ),
  hasRunsAwaitingRoom: bool(
    sql`EXISTS (SELECT 1 FROM flow_runs INDEXED BY flow_runs_awaiting_room WHERE ${AWAITS_ROOM} AND ${NOT_HELD})`,
  ),
  hasOperations: bool(
    sql`EXISTS (SELECT 1 FROM operations INDEXED BY operations_running WHERE status = 'running' AND ${NOT_HELD})`,
  ),
  fireMs: number.nullable(
    sql`(SELECT min(next_fire_at) FROM schedules INDEXED BY schedules_due
      WHERE enabled = 1 AND waiting_since IS NULL AND ${NOT_HELD}) - ${SQL_NOW}`,
  ),
  hasWaitingFireTimes: bool(
    sql`EXISTS (SELECT 1 FROM schedules INDEXED BY schedules_waiting
      WHERE enabled = 1 AND waiting_since IS NOT NULL AND ${NOT_HELD})`,
  ),
  notificationMs: number.nullable(
    sql`(SELECT min(next_at) FROM notifications INDEXED BY notifications_due
      WHERE next_at IS NOT NULL AND ${NOT_HELD}) - ${SQL_NOW}`,
  ),
  gitSyncMs: number.nullable(
    sql`(SELECT min(COALESCE(last_sync_at, created_at) + auto_sync_s * 1000) FROM git_sources
      WHERE auto_sync_s IS NOT NULL AND ${NOT_HELD}) - ${SQL_NOW}`,
  ),
  /** Milliseconds until the first revocation of very many tokens is taken to be interrupted. */
  revocationMs: number.nullable(REVOCATION_MS),
  relayMs: number.nullable(
    sql`(SELECT min(expires_at) FROM relay_sessions INDEXED BY relay_sessions_live WHERE ended_at IS NULL) - ${SQL_NOW}`,
  ),
})
export type WorkDue = RowOf<typeof workDueRow>

/** Reads what is due and when. @throws {DatabaseError} */
export const findWorkDue = async (db: Pick<Database, 'one'>): Promise<WorkDue> => {
  const found = await workDueRow.one(db, sql`SELECT ${workDueRow.columns()}`)
  if (found === null) throw new Error('A row without a table is missing.')
  return found
}
