/**
 * Ends waits of flow runs whose time is over, resumes interrupted deliveries of events, starts reminders, and cancels the
 * subflows of canceled runs. It only reads when there is nothing to do. Any node may run it, since each effect happens once.
 */
import type { Logger } from '#log/logger.ts'
import { createDueTurns } from '#service/due-turns.ts'
import { deliverPendingEvents } from '#service/events/deliver-pending-events.ts'
import type { EventDeps } from '#service/events/start-targets.ts'
import { cancelMarkedRuns } from '#service/flows/cancel-run.ts'
import { createWaitTurns, endWaits } from '#service/flows/end-waits.ts'
import { createTurnFailures } from '#service/turn-failures.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 1_000
/** Milliseconds until the next turn while waits that are over are left. */
const LEAST_MS = 10
/** Milliseconds until the next turn if the last could end none of them, for example because only a newer svc can read them. */
const STUCK_MS = 250

/** Milliseconds after which another process takes over an event whose delivery has not ended (store/events/events.ts). */
const PENDING_FOR_MS = 10_000

const dueMs: NonNullable<Duty['dueMs']> = (due) => {
  const { waitMs, reminderMs, pendingEventAgeMs: ageMs, hasRunsToCancel } = due
  if (hasRunsToCancel) return 0
  const all = [waitMs, reminderMs, ageMs === null ? null : PENDING_FOR_MS + 1 - ageMs]
  const known = all.filter((ms) => ms !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Creates the duty. It runs when the next wait ends. */
export const createWaitDuty = (deps: EventDeps & Readonly<{ log: Logger }>): Duty => {
  const turns = { events: createDueTurns(), cancels: createDueTurns(), ...createWaitTurns() }
  return {
    name: 'end-waits',
    everyMs: EVERY_MS,
    dueMs,
    runOnce: async () => {
      const failures = createTurnFailures()
      await failures.keep(() => deliverPendingEvents(deps, turns.events), null)
      await failures.keep(() => cancelMarkedRuns(deps, turns.cancels), null)
      const { ended, isStuck, nextMs } = await endWaits(deps, turns)
      for (const id of ended) {
        deps.log.info('A flow run went on after its time of waiting.', { flow_run: id })
      }
      failures.throwFirst()
      return nextMs === null ? undefined : Math.max(nextMs, isStuck ? STUCK_MS : LEAST_MS)
    },
  }
}
