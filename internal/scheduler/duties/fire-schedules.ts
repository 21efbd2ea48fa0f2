/**
 * Fires schedules when their time has come. The leader does it at once; another node does what is still due a moment
 * later, so that a leader which has died delays nothing, and the leader's word is not needed for a slot to fire once.
 */
import type { Logger } from '#log/logger.ts'
import {
  type FireDeps,
  type Firing,
  fireDueSchedules,
  fireWaitingSchedules,
} from '#service/fire-schedules.ts'
import type { Leadership } from '#service/lead.ts'
import type { ClockWatch } from '#service/watch-clock.ts'
import { findNextDueMs, listWaitingWorkspaces } from '#store/schedule-slots.ts'
import type { Duty } from '../loop.ts'

/** Between two looks while nothing is due, for what no hint tells. */
const EVERY_MS = 1_000
const GRACE_MS = 250
/** After a slot that somebody else should fire. */
const AGAIN_MS = 100

/** Between two looks at fire times that wait for room in their workspace's queue. */
const LOOK_FOR_ROOM_MS = 1_000

type DutyDeps = FireDeps &
  Readonly<{
    log: Logger
    leadership: Leadership
    clock: ClockWatch
    monotonicNow: () => number
  }>

export const createFireDuty = (deps: DutyDeps): Duty => {
  let afterWs = ''
  let lookedForRoomAt = Number.NEGATIVE_INFINITY

  /** One node alone looks, and not at every turn: the others fire what needs no room. */
  const fireWaiting = async (): Promise<void> => {
    if (deps.monotonicNow() - lookedForRoomAt < LOOK_FOR_ROOM_MS) return
    lookedForRoomAt = deps.monotonicNow()
    const isWaiting = (await listWaitingWorkspaces(deps.db, { afterWs: '', limit: 1 })).length > 0
    if (!isWaiting || !(await deps.leadership.claim())) return
    const looked = await fireWaitingSchedules(deps, afterWs)
    afterWs = looked.afterWs
    for (const firing of looked.firings) tell(deps.log, firing)
  }
  /** @returns milliseconds until the next turn is wanted */
  const fireDue = async (): Promise<number | undefined> => {
    const dueMs = await findNextDueMs(deps.db)
    if (dueMs === null) return undefined
    if (dueMs > 0) return dueMs
    // a jump of the clock makes due what is not
    await deps.clock.check()
    const isLeader = await deps.leadership.claim()
    const firings = await fireDueSchedules(deps, { graceMs: isLeader ? 0 : GRACE_MS })
    for (const firing of firings) tell(deps.log, firing)
    return firings.every(({ outcome }) => outcome === 'late') ? AGAIN_MS : 0
  }

  return {
    name: 'fire-schedules',
    everyMs: EVERY_MS,
    onWanted: (want) => deps.hints.scheduleChanged.subscribe(want),
    runOnce: async () => {
      const nextMs = await fireDue()
      await fireWaiting()
      return nextMs
    },
  }
}

const tell = (log: Logger, { schedule, outcome, reason }: Firing): void => {
  const { ws, id, app, action, flow, slot, waitingSince } = schedule
  const target = `${app}/${action ?? flow}`
  const facts = { ws, schedule: id, target, slot: new Date(slot).toISOString(), reason }
  if (outcome === 'disabled') log.warn('Switched a schedule off that cannot fire.', facts)
  else if (outcome === 'skipped') log.warn('Skipped a slot of a schedule.', facts)
  else if (outcome === 'postponed') log.warn('A fire time of a schedule waits for room.', facts)
  else if (outcome === 'fired' && waitingSince !== null)
    log.info('A fire time of a schedule no longer waits for room.', facts)
  else log.debug('Fired a schedule.', { ...facts, outcome })
}
