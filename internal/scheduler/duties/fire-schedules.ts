/**
 * Fires schedules when their time has come. The leader does it at once; another node does what is still due a moment
 * later, so that a leader which has died delays nothing, and the leader's word is not needed for a slot to fire once.
 */
import type { Logger } from '#log/logger.ts'
import { type FireDeps, type Firing, fireDueSchedules } from '#service/fire-schedules.ts'
import type { Leadership } from '#service/lead.ts'
import { findNextDueMs } from '#store/schedule-slots.ts'
import type { Duty } from '../loop.ts'

/** Between two looks while nothing is due, for what no hint tells. */
const EVERY_MS = 1_000
const GRACE_MS = 250
/** After a slot that somebody else should fire, or that stays due. */
const AGAIN_MS = 100

type DutyDeps = FireDeps & Readonly<{ log: Logger; leadership: Leadership }>

export const createFireDuty = (deps: DutyDeps): Duty => ({
  name: 'fire-schedules',
  everyMs: EVERY_MS,
  onWanted: (want) => deps.hints.scheduleChanged.subscribe(want),
  runOnce: async () => {
    const dueMs = await findNextDueMs(deps.db)
    if (dueMs === null) return
    if (dueMs > 0) return dueMs
    const isLeader = await deps.leadership.claim()
    const firings = await fireDueSchedules(deps, { graceMs: isLeader ? 0 : GRACE_MS })
    for (const firing of firings) tell(deps.log, firing)
    return firings.some(({ outcome }) => outcome === 'fired') ? 0 : AGAIN_MS
  },
})

const tell = (log: Logger, { schedule, outcome, reason }: Firing): void => {
  const { ws, id, app, action, flow, slot } = schedule
  const target = `${app}/${action ?? flow}`
  const facts = { ws, schedule: id, target, slot: new Date(slot).toISOString(), reason }
  if (outcome === 'disabled') log.warn('Switched a schedule off that cannot fire.', facts)
  else if (outcome === 'skipped') log.warn('Skipped a slot of a schedule.', facts)
  else if (outcome === 'postponed') log.warn('A slot of a schedule has to wait.', facts)
  else log.debug('Fired a schedule.', { ...facts, outcome })
}
