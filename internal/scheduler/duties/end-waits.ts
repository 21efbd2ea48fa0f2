/**
 * Ends waits of flow runs whose time is over, goes on with events whose delivery was interrupted, starts reminders, and cancels
 * subflows whose runs above were canceled. Only reads when there is none; any node may do it, since each happens once.
 */
import type { Logger } from '#log/logger.ts'
import { deliverPendingEvents } from '#service/events/send-event.ts'
import type { EventDeps } from '#service/events/start-targets.ts'
import { cancelMarkedRuns } from '#service/flows/cancel-run.ts'
import { endWaits } from '#service/flows/end-waits.ts'
import type { Duty } from '../loop.ts'

const EVERY_MS = 1_000
/** A wait that could not be ended is tried again after this time. */
const LEAST_MS = 10

/** Creates the duty; it runs every second, and when the next wait within that second is over. */
export const createWaitDuty = (deps: EventDeps & Readonly<{ log: Logger }>): Duty => ({
  name: 'end-waits',
  everyMs: EVERY_MS,
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
