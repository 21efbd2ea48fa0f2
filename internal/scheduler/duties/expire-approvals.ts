/** Ends approvals whose time is over. Only reads when there is none; any node may do it, since each ends once. */
import type { Logger } from '#log/logger.ts'
import { expireApprovals } from '#service/flows/expire-approvals.ts'
import type { FlowDeps } from '#service/flows/load-run.ts'
import type { Duty } from '../loop.ts'

const EVERY_MS = 1_000

/** Creates the duty; it runs every second. */
export const createExpireDuty = (deps: FlowDeps & Readonly<{ log: Logger }>): Duty => ({
  name: 'expire-approvals',
  everyMs: EVERY_MS,
  runOnce: async () => {
    for (const id of await expireApprovals(deps)) {
      deps.log.info('An approval expired.', { flow_run: id })
    }
    return undefined
  },
})
