/**
 * Fires schedules that are due. The leader fires at once. Another node fires what is still due 250 ms later, so that a lost
 * leader causes no longer delay. Each fire time fires once with or without a leader.
 */
import type { Logger } from '#log/logger.ts'
import { createDueTurns } from '#service/due-turns.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import type { Leadership } from '#service/nodes/lead.ts'
import type { ClockWatch } from '#service/nodes/watch-clock.ts'
import { fireDueSchedules, fireWaitingSchedules } from '#service/schedules/fire-schedules.ts'
import { createFireTasks, type Firing } from '#service/schedules/fire-tasks.ts'
import { createTurnFailures } from '#service/turn-failures.ts'
import { findNextDueMs, listWaitingWorkspaces } from '#store/schedules/fire-times.ts'
import type { Duty } from '../turns.ts'

/** Milliseconds between turns while fire times wait, and after a failed turn. */
const EVERY_MS = 1_000
const GRACE_MS = 250
/** Milliseconds until the next turn when another node should fire what is due. */
const AGAIN_MS = 100

/** Milliseconds for which a turn waits for workspaces whose inputs take long to check. */
const PATIENCE_MS = 100

/** Milliseconds between two checks of fire times that wait for room in their workspace's queue. */
const LOOK_FOR_ROOM_MS = 1_000

type DutyDeps = FlowDeps &
  Readonly<{
    log: Logger
    leadership: Leadership
    clock: ClockWatch
    monotonicNow: () => number
  }>

/** Creates the duty; it runs when the next schedule is due, and every second while fire times wait. */
export const createFireDuty = (deps: DutyDeps): Duty => {
  let afterWs = ''
  const turns = createDueTurns()
  const onFiring = (firing: Firing): void => logFiring(deps.log, firing)
  const tasks = createFireTasks({ patienceMs: PATIENCE_MS, onFiring })
  let lookedForRoomAt = Number.NEGATIVE_INFINITY

  /** Fires waiting fire times. One node checks once a second. Fire times that need no room are not affected by this interval. */
  const fireWaiting = async (): Promise<void> => {
    if (deps.monotonicNow() - lookedForRoomAt < LOOK_FOR_ROOM_MS) return
    lookedForRoomAt = deps.monotonicNow()
    const isWaiting = (await listWaitingWorkspaces(deps.db, { afterWs: '', limit: 1 })).length > 0
    if (!isWaiting || !(await deps.leadership.claim())) return
    afterWs = await fireWaitingSchedules(deps, { afterWs, tasks })
    tasks.take()
  }
  /** @returns milliseconds until the next turn */
  const fireDue = async (): Promise<number | undefined> => {
    const dueMs = await findNextDueMs(deps.db)
    if (dueMs === null) return undefined
    if (dueMs > 0) return dueMs
    // after a jump of the clock, schedules may seem due too early
    const { mayFire } = await deps.clock.check()
    if (!mayFire) return undefined
    const isLeader = await deps.leadership.claim()
    const firings = await fireDueSchedules(deps, { graceMs: isLeader ? 0 : GRACE_MS, turns, tasks })
    return firings.every(({ outcome }) => outcome === 'late' || outcome === 'left') ? AGAIN_MS : 0
  }

  return {
    name: 'fire-schedules',
    everyMs: EVERY_MS,
    dueMs: ({ fireMs, hasWaitingFireTimes }) => (hasWaitingFireTimes ? 0 : fireMs),
    onWanted: (want) => deps.hints.scheduleChanged.subscribe(want),
    runOnce: async () => {
      const failures = createTurnFailures()
      const nextMs = await failures.keep(fireDue, undefined)
      await failures.keep(fireWaiting, undefined)
      failures.throwFirst()
      return nextMs
    },
    settled: tasks.settled,
  }
}

const logFiring = (log: Logger, { schedule, outcome, reason }: Firing): void => {
  const { ws, id, app, action, flow, fireTime, waitingSince } = schedule
  const target = `${app}/${action ?? flow}`
  const facts = { ws, schedule: id, target, slot: new Date(fireTime).toISOString(), reason }
  if (outcome === 'disabled') log.warn('Disabled a schedule that cannot fire.', facts)
  else if (outcome === 'skipped') log.warn('Skipped a fire time of a schedule.', facts)
  else if (outcome === 'postponed') log.warn('A fire time of a schedule waits.', facts)
  else if (outcome === 'fired' && waitingSince !== null)
    log.info('A fire time of a schedule no longer waits.', facts)
  else log.debug('Fired a schedule.', { ...facts, outcome })
}
