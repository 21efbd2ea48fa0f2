/**
 * Compares the database's clock, which decides leases and due times, with a monotonic clock.
 *
 * Guarantees: one of the nodes that see a jump handles and records it, once; the time that `check` returns was read before a
 * jump could affect anything. A pause of this process is not a jump.
 * What becomes due is decided elsewhere. It throws DatabaseError, and reads again at the next check.
 */
import { systemActor } from '#core/access/actor.ts'
import { type ClockSample, jumpBetween, jumpToleranceMs, settleMs } from '#core/clock-jump.ts'
import {
  type ClockReading,
  findTraceAheadMs,
  readClock,
  recordJump,
} from '#store/nodes/clock-jumps.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { correctRows, correctSchedules } from './correct-rows.ts'

export type CheckedClock = Readonly<{
  /** The database's clock; a jump after this reading is not included. */
  now: number
  /**
   * False until this node has watched long enough to distinguish a lost worker from a jump before its start, and while rows are left
   * to be corrected after a jump: start timeouts of jobs may be among them.
   */
  mayTakeJobs: boolean
  /** False while fire times are left to be corrected after a jump: schedules may seem due too early. */
  mayFire: boolean
}>

export interface ClockWatch {
  /** Reads the clock, and handles a jump since the last reading. */
  check(): Promise<CheckedClock>
  /** Like `check`, with a read that finds more than the clock. @returns what it has found */
  checkBy<Reading extends ClockReading>(read: () => Promise<Reading>): Promise<Reading>
}

/** `byMs` is positive for a jump forward, negative for one back. */
export type HandledJump = Readonly<{ byMs: number; leases: number }>

type WatchDeps = Pick<Deps, 'db' | 'newId' | 'limits'>

export type ClockWatchOptions = Readonly<{
  /** Milliseconds of a monotonic clock. */
  steadyNow: () => number
  /** Id of this node, for the record. */
  node: string
  onJump: (jump: HandledJump) => void
}>

/** Tolerance for leases of older nodes, which do not record their length. */
const TRACE_SLACK_MS = 60_000

type Sample = ClockSample & Omit<ClockReading, 'now'>

/** Creates the watch of one node. */
export const createClockWatch = (
  deps: WatchDeps,
  { steadyNow, node, onJump }: ClockWatchOptions,
): ClockWatch => {
  const { jobLeaseMs: leaseMs } = deps.limits
  let last: Sample | null = null
  let watchedSince = 0
  let underWay: Promise<CheckedClock> | null = null

  const take = async (read: () => Promise<ClockReading>): Promise<Sample> => {
    const before = steadyNow()
    const { now: databaseNow, ...found } = await read()
    return { ...found, databaseNow, before, after: steadyNow() }
  }
  const findJump = async (sample: Sample): Promise<number> => {
    if (last === null) {
      const aheadMs = await findTraceAheadMs(deps.db, leaseMs)
      return aheadMs > TRACE_SLACK_MS ? -aheadMs : 0
    }
    // another node has handled the same jump
    if (sample.epoch !== last.epoch) return 0
    return jumpBetween(last, sample, jumpToleranceMs(leaseMs))
  }
  const look = async (read: () => Promise<ClockReading>): Promise<CheckedClock> => {
    const sample = await take(read)
    const byMs = await findJump(sample)
    let { epoch } = sample
    if (byMs !== 0) {
      const windowMs = last === null ? 0 : Math.ceil(sample.after - last.before)
      const handled = await handleJump(deps, { sample, byMs, windowMs, node })
      if (handled !== null) onJump(handled)
      // handled, by this node or by another
      epoch += 1
    }
    if (last === null) watchedSince = sample.after
    last = { ...sample, epoch }
    const mayFire =
      (byMs === 0 && !sample.hasFireTimesToCorrect) || (await correctSchedules(deps.db)) === 'all'
    const isCorrected =
      (byMs === 0 && !sample.hasCorrections) || (await correctRows(deps.db)) === 'all'
    const mayTakeJobs = isCorrected && sample.before - watchedSince >= settleMs(leaseMs)
    return { now: sample.databaseNow, mayTakeJobs, mayFire }
  }

  const begin = (read: () => Promise<ClockReading>): Promise<CheckedClock> => {
    const begun = look(read).finally(() => {
      underWay = null
    })
    underWay = begun
    return begun
  }

  return {
    check: () => underWay ?? begin(() => readClock(deps.db)),
    checkBy: async <Reading extends ClockReading>(read: () => Promise<Reading>) => {
      // one reading at a time, because each is compared with the one before; its failure concerns only its own caller
      while (underWay !== null) await underWay.catch(() => undefined)
      const found: Reading[] = []
      await begin(async () => {
        const reading = await read()
        found.push(reading)
        return reading
      })
      const [reading] = found
      if (reading === undefined) throw new Error('The clock was not read.')
      return reading
    },
  }
}

type SeenJump = Readonly<{ sample: Sample; byMs: number; windowMs: number; node: string }>

/** Records a jump and corrects leases; fire times follow. @returns null if another node was first */
const handleJump = async (
  deps: WatchDeps,
  { sample, byMs, windowMs, node }: SeenJump,
): Promise<HandledJump | null> => {
  const { db, newId, limits } = deps
  const { jump, ...corrections } = recordJump({
    id: newId(),
    epoch: sample.epoch + 1,
    byMs,
    node,
    leaseMs: limits.jobLeaseMs,
    windowMs,
  })
  const target = `${byMs > 0 ? 'forward' : 'back'} ${Math.abs(byMs)} ms`
  const by = { ws: null, actor: systemActor('scheduler') }
  const written = await db.write({
    jump,
    audit: audited(deps, by, 'clock.jumped', target),
    ...corrections,
  })
  if (written.jump.changes !== 1) return null
  return { byMs, leases: written.leases.changes }
}
