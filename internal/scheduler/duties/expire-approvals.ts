/** Gives up approvals whose time is over. A read while none is; any node may do it, since each is given up once. */
import type { Logger } from '#log/logger.ts'
import { expireApprovals } from '#service/flows/expire-approvals.ts'
import type { FlowDeps } from '#service/flows/load-run.ts'
import type { Duty } from '../loop.ts'

const EVERY_MS = 1_000

export const createExpireDuty = (deps: FlowDeps & Readonly<{ log: Logger }>): Duty => ({
  name: 'expire-approvals',
  everyMs: EVERY_MS,
  runOnce: async () => {
    for (const id of await expireApprovals(deps)) {
      deps.log.info('Nobody answered an approval in time.', { flow_run: id })
    }
    return undefined
  },
})
