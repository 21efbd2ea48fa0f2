/** Deletes former deployments that are no longer needed. It only reads when there are none. */
import { HOUR_MS } from '#core/time-units.ts'
import type { Logger } from '#log/logger.ts'
import { sweepDeployments } from '#service/deploy/sweep-deployments.ts'
import type { Duty } from '../turns.ts'
import { mayDelete, type SweepingDeps } from './may-delete.ts'

const EVERY_MS = 6 * HOUR_MS

type SweepDeps = SweepingDeps &
  Readonly<{
    log: Logger
    keepDeployments: number
    retentionDays: number
  }>

/** Creates the duty; it runs every 6 hours. */
export const createDeploymentSweepDuty = (deps: SweepDeps): Duty => ({
  name: 'sweep-deployments',
  everyMs: EVERY_MS,
  runOnce: async (signal) => {
    const { log, keepDeployments, retentionDays } = deps
    const deleted = await sweepDeployments(deps, {
      keep: keepDeployments,
      retentionDays,
      signal,
      mayDelete: () => mayDelete(deps),
    })
    if (deleted > 0) log.info('Deleted deployments that are no longer needed.', { deleted })
    return undefined
  },
})
