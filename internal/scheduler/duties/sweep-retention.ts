/** Deletes ended jobs and audit entries after their retention time, and expired rows. It only reads when nothing is due. */
import type { Logger } from '#log/logger.ts'
import type { Deps } from '#service/deps.ts'
import type { Leadership } from '#service/nodes/lead.ts'
import {
  sweepDeletedApps,
  sweepExpired,
  sweepFlowRuns,
  sweepJobs,
  sweepOldRows,
  sweepUnusedPacks,
  sweepUnusedSources,
} from '#service/sweep.ts'
import { isImportUnderWay } from '#store/workspaces/held.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 600_000

type SweepDeps = Pick<Deps, 'db'> &
  Readonly<{
    log: Logger
    leadership: Leadership
    retentionDays: number
    auditRetentionDays: number
  }>

/** Creates the duty; it runs every 10 minutes. */
export const createSweepDuty = (deps: SweepDeps): Duty => ({
  name: 'sweep-retention',
  everyMs: EVERY_MS,
  runOnce: async (signal) => {
    const { retentionDays, auditRetentionDays, leadership } = deps
    // an import compares the rows that it has inserted with its file
    const mayDelete = async () => !(await isImportUnderWay(deps.db)) && (await leadership.claim())
    const turn = { signal, mayDelete }
    const deleted = await sweepJobs(deps, { ...turn, retentionDays })
    if (deleted > 0) deps.log.info('Deleted jobs older than the retention window.', { deleted })
    await sweepFlowRuns(deps, { ...turn, retentionDays })
    await sweepOldRows(deps, 'function_calls', { ...turn, retentionDays })
    await sweepOldRows(deps, 'webhook_deliveries', { ...turn, retentionDays })
    await sweepOldRows(deps, 'operations', { ...turn, retentionDays })
    await sweepOldRows(deps, 'notifications', { ...turn, retentionDays })
    await sweepOldRows(deps, 'schedule_slots', { ...turn, retentionDays })
    await sweepOldRows(deps, 'audit_log', { ...turn, retentionDays: auditRetentionDays })
    await sweepDeletedApps(deps, turn)
    await sweepUnusedPacks(deps, turn)
    await sweepUnusedSources(deps, turn)
    await sweepExpired(deps, turn)
    return undefined
  },
})
