/** Queues jobs of lost workers again [jobs 8.7]. It only reads when no job is lost, so it may run often. */
import type { Logger } from '#log/logger.ts'
import { createDueTurns } from '#service/due-turns.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import type { ClockWatch } from '#service/nodes/watch-clock.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 1_000

type RescueDeps = FlowDeps & Readonly<{ log: Logger; clock: ClockWatch }>

/** Creates the duty; it runs when the first lease ends, and every second while leases have ended. */
export const createRescueDuty = (deps: RescueDeps): Duty => {
  const turns = createDueTurns()
  return {
    name: 'rescue-jobs',
    everyMs: EVERY_MS,
    // a lease is still valid during the millisecond at which it ends
    dueMs: ({ leaseMs }) => (leaseMs === null ? null : leaseMs + 1),
    runOnce: async () => {
      // after a jump of the clock, leases of live workers may seem expired
      const { now, mayTakeJobs } = await deps.clock.check()
      if (!mayTakeJobs) return undefined
      for (const { id, status } of await rescueJobs(deps, now, turns)) {
        deps.log.warn('A worker was lost; its job was rescued.', { job: id, status })
      }
      return undefined
    },
  }
}
