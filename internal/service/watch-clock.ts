/**
 * Watches the database's clock, by which leases and due times go, against a steady one (target I14).
 *
 * It guarantees: a jump is dealt with once, by one node of those that see it, and is on record; what a caller learns of
 * the time by `check` was read before anything could be lost to a jump. A pause of this process is no jump.
 * It leaves to others: what becomes due. It fails by DatabaseError, and looks again at the next check.
 */
import { systemActor } from '#core/actor.ts'
import { type ClockSample, jumpBetween, jumpToleranceMs, settleMs } from '#core/clock-jump.ts'
import { rebaseFireTime } from '#core/schedule/rebase.ts'
import { parseTiming } from '#core/schedule/timing.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import {
  findTraceAheadMs,
  listTimedSchedules,
  type MovedSchedule,
  readClock,
  recordJump,
} from '#store/clock-jumps.ts'
import type { Deps } from './deps.ts'

export type CheckedClock = Readonly<{
  /** The database's clock; a jump after this reading has not been judged. */
  now: number
  /** False: this node has not watched for long enough to tell a dead worker from a jump before its start. */
  mayTakeJobs: boolean
}>

export interface ClockWatch {
  /** Reads the clock, and deals with a jump since the last reading. */
  check(): Promise<CheckedClock>
}

/** `byMs` forward, or back when negative. */
export type JumpDealtWith = Readonly<{ byMs: number; leases: number; schedules: number }>

type WatchDeps = Pick<Deps, 'db' | 'newId' | 'limits'>

export type ClockWatchOptions = Readonly<{
  /** Milliseconds of a clock that nobody sets. */
  steadyNow: () => number
  /** This node, for the record. */
  node: string
  onJump: (jump: JumpDealtWith) => void
}>

/** Leases of nodes with other settings may be longer by so much. */
const TRACE_SLACK_MS = 60_000
const PAGE = 500

type Sample = ClockSample & Readonly<{ epoch: number }>

export const createClockWatch = (
  deps: WatchDeps,
  { steadyNow, node, onJump }: ClockWatchOptions,
): ClockWatch => {
  const { jobLeaseMs: leaseMs } = deps.limits
  let last: Sample | null = null
  let watchedSince = 0
  let underWay: Promise<CheckedClock> | null = null

  const take = async (): Promise<Sample> => {
    const before = steadyNow()
    const { now: databaseNow, epoch } = await readClock(deps.db)
    return { databaseNow, epoch, before, after: steadyNow() }
  }
  const judge = async (sample: Sample): Promise<number> => {
    if (last === null) {
      const aheadMs = await findTraceAheadMs(deps.db, leaseMs)
      return aheadMs > TRACE_SLACK_MS ? -aheadMs : 0
    }
    // another node has seen the same jump, and was first
    if (sample.epoch !== last.epoch) return 0
    return jumpBetween(last, sample, jumpToleranceMs(leaseMs))
  }
  const look = async (): Promise<CheckedClock> => {
    const sample = await take()
    const byMs = await judge(sample)
    let { epoch } = sample
    if (byMs !== 0) {
      const windowMs = last === null ? 0 : Math.ceil(sample.after - last.before)
      const done = await dealWith(deps, { sample, byMs, windowMs, node })
      if (done !== null) onJump(done)
      // dealt with, by this node or by another
      epoch += 1
    }
    if (last === null) watchedSince = sample.after
    last = { ...sample, epoch }
    const mayTakeJobs = sample.before - watchedSince >= settleMs(leaseMs)
    return { now: sample.databaseNow, mayTakeJobs }
  }

  return {
    check: () => {
      underWay ??= look().finally(() => {
        underWay = null
      })
      return underWay
    },
  }
}

type Seen = Readonly<{ sample: Sample; byMs: number; windowMs: number; node: string }>

/** @returns null: another node was first */
const dealWith = async (
  deps: WatchDeps,
  { sample, byMs, windowMs, node }: Seen,
): Promise<JumpDealtWith | null> => {
  const { db, newId, limits } = deps
  const moved = await moveSchedules(deps, { now: sample.databaseNow, jumpMs: byMs })
  const [jump, ...rest] = recordJump({
    id: newId(),
    epoch: sample.epoch + 1,
    byMs,
    node,
    leaseMs: limits.jobLeaseMs,
    windowMs,
    moved,
  })
  if (jump === undefined) return null
  const target = `${byMs > 0 ? 'forward' : 'back'} ${Math.abs(byMs)} ms`
  const entry = {
    id: newId(),
    ws: null,
    actor: systemActor('scheduler'),
    action: 'clock.jumped',
    target,
  }
  const results = await db.write([jump, insertAuditEntryIfChanged(entry), ...rest])
  if (results[0]?.changes !== 1) return null
  return { byMs, leases: results[2]?.changes ?? 0, schedules: results[3]?.changes ?? 0 }
}

/** Those whose next fire time the jump has made wrong. */
const moveSchedules = async (
  { db }: Pick<Deps, 'db'>,
  jump: Readonly<{ now: number; jumpMs: number }>,
): Promise<readonly MovedSchedule[]> => {
  const moved: MovedSchedule[] = []
  for (let afterId = ''; ; ) {
    const page = await listTimedSchedules(db, { afterId, limit: PAGE })
    for (const { id, cron, timezone, version, nextFireAt } of page) {
      const { timing } = parseTiming(cron, timezone)
      const to = timing === null ? nextFireAt : rebaseFireTime(timing, { nextFireAt, ...jump })
      if (to !== nextFireAt) moved.push({ id, version, nextFireAt, to })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return moved
    afterId = last.id
  }
}
