/** Deletes former deployments that are no longer needed. It only reads when there are none. */
import type { Logger } from '#log/logger.ts'
import { sweepDeployments } from '#service/deploy/sweep-deployments.ts'
import type { Deps } from '#service/deps.ts'
import type { Leadership } from '#service/nodes/lead.ts'
import { isImportUnderWay } from '#store/workspaces/held.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 6 * 3_600_000

type SweepDeps = Pick<Deps, 'db'> &
  Readonly<{
    log: Logger
    leadership: Leadership
    keepDeployments: number
    retentionDays: number
  }>

/** Creates the duty; it runs every 6 hours. */
export const createDeploymentSweepDuty = (deps: SweepDeps): Duty => ({
  name: 'sweep-deployments',
  everyMs: EVERY_MS,
  runOnce: async (signal) => {
    const { db, log, leadership, keepDeployments, retentionDays } = deps
    const deleted = await sweepDeployments(deps, {
      keep: keepDeployments,
      retentionDays,
      signal,
      // an import compares the rows that it has inserted with its file
      mayDelete: async () => !(await isImportUnderWay(db)) && (await leadership.claim()),
    })
    if (deleted > 0) log.info('Deleted deployments that are no longer needed.', { deleted })
    return undefined
  },
})
