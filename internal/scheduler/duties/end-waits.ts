/**
 * Ends waits of flow runs whose time is over, goes on with events whose delivery was interrupted, starts reminders, and cancels
 * subflows whose runs above were canceled. Only reads when there is none; any node may do it, since each happens once.
 */
import type { Logger } from '#log/logger.ts'
import { deliverPendingEvents } from '#service/events/send-event.ts'
import type { EventDeps } from '#service/events/start-targets.ts'
import { cancelMarkedRuns } from '#service/flows/cancel-run.ts'
import { endWaits } from '#service/flows/end-waits.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 1_000
/** A wait that could not be ended is tried again after this time. */
const LEAST_MS = 10

/** An event whose delivery has not ended is taken on by another process after so many milliseconds (store/events.ts). */
const PENDING_FOR_MS = 10_000

const dueMs: NonNullable<Duty['dueMs']> = (due) => {
  const { waitMs, reminderMs, pendingEventAgeMs: ageMs, hasRunsToCancel } = due
  if (hasRunsToCancel) return 0
  const all = [waitMs, reminderMs, ageMs === null ? null : PENDING_FOR_MS + 1 - ageMs]
  const known = all.filter((ms) => ms !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Creates the duty; it runs when the next wait is over. */
export const createWaitDuty = (deps: EventDeps & Readonly<{ log: Logger }>): Duty => ({
  name: 'end-waits',
  everyMs: EVERY_MS,
  dueMs,
  onWanted: (want) => deps.hints.waitDue.subscribe(want),
  runOnce: async () => {
    await deliverPendingEvents(deps)
    await cancelMarkedRuns(deps)
    const { ended, nextMs } = await endWaits(deps)
    for (const id of ended) {
      deps.log.info('A flow run went on after its time of waiting.', { flow_run: id })
    }
    return nextMs === null ? undefined : Math.max(nextMs, LEAST_MS)
  },
})
