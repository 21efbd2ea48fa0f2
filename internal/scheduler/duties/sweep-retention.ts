/** Deletes ended jobs and audit entries after their windows and whatever has expired; reads only while there is nothing to delete. */
import type { Logger } from '#log/logger.ts'
import type { Deps } from '#service/deps.ts'
import { sweepAuditLog, sweepExpired, sweepJobs } from '#service/sweep.ts'
import type { Duty } from '../loop.ts'

const EVERY_MS = 600_000

type SweepDeps = Pick<Deps, 'db'> &
  Readonly<{ log: Logger; retentionDays: number; auditRetentionDays: number }>

export const createSweepDuty = (deps: SweepDeps): Duty => ({
  name: 'sweep-retention',
  everyMs: EVERY_MS,
  runOnce: async (signal) => {
    const deleted = await sweepJobs(deps, { retentionDays: deps.retentionDays, signal })
    if (deleted > 0) deps.log.info('Deleted jobs older than the retention window.', { deleted })
    await sweepAuditLog(deps, { retentionDays: deps.auditRetentionDays, signal })
    await sweepExpired(deps, { signal })
  },
})
