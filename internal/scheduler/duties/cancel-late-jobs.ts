/** Cancels jobs that were not started in time [jobs 21]. It only reads when no job is late. */
import type { Logger } from '#log/logger.ts'
import { createDueTurns } from '#service/due-turns.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import type { ClockWatch } from '#service/nodes/watch-clock.ts'
import { cancelLate } from '#service/queue/cancel-late-jobs.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 1_000
/** Milliseconds until the next turn while turns find late jobs. A turn takes one page of each workspace. */
const NEXT_MS = 10

/** Creates the duty; it runs when the first start timeout is over. */
export const createLateDuty = (
  deps: FlowDeps & Readonly<{ log: Logger; clock: ClockWatch }>,
): Duty => {
  const turns = createDueTurns()
  return {
    name: 'cancel-late-jobs',
    everyMs: EVERY_MS,
    // a job may still start during the millisecond at which its time ends
    dueMs: ({ startTimeoutMs }) => (startTimeoutMs === null ? null : startTimeoutMs + 1),
    runOnce: async () => {
      // after a jump of the clock, jobs may seem late
      const { mayTakeJobs } = await deps.clock.check()
      if (!mayTakeJobs) return undefined
      const canceled = await cancelLate(deps, turns)
      if (canceled.length === 0) return undefined
      deps.log.info('Canceled jobs that did not start within their start timeout.', {
        jobs: canceled.length,
        first: canceled[0],
      })
      return NEXT_MS
    },
  }
}
