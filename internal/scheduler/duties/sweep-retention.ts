/**
 * Deletes ended jobs and audit entries after their retention time, and expired rows, and gives the disk the space of all that was
 * deleted. It only reads when nothing is due.
 */
import type { Logger } from '#log/logger.ts'
import type { Deps } from '#service/deps.ts'
import {
  reclaimAll,
  sweepDeletedApps,
  sweepExpired,
  sweepFlowRuns,
  sweepJobs,
  sweepOldRows,
  sweepOperations,
  sweepUnusedPacks,
  sweepUnusedSources,
} from '#service/sweep.ts'
import { discardAbandonedImports } from '#service/workspace-copy/discard-import.ts'
import type { Duty } from '../turns.ts'
import { mayDelete, type SweepingDeps } from './may-delete.ts'

const EVERY_MS = 600_000

type SweepDeps = SweepingDeps &
  Pick<Deps, 'home' | 'newId'> &
  Readonly<{
    log: Logger
    retentionDays: number
    auditRetentionDays: number
  }>

/** Creates the duty; it runs every 10 minutes. */
export const createSweepDuty = (deps: SweepDeps): Duty => ({
  name: 'sweep-retention',
  everyMs: EVERY_MS,
  runOnce: async (signal) => {
    const { retentionDays, auditRetentionDays } = deps
    const turn = { signal, mayDelete: () => mayDelete(deps) }
    const deleted = await sweepJobs(deps, { ...turn, retentionDays })
    if (deleted > 0) deps.log.info('Deleted jobs older than the retention window.', { deleted })
    await sweepFlowRuns(deps, { ...turn, retentionDays })
    await sweepOldRows(deps, 'function_calls', { ...turn, retentionDays })
    await sweepOldRows(deps, 'webhook_deliveries', { ...turn, retentionDays })
    await sweepOperations(deps, { ...turn, retentionDays })
    await sweepOldRows(deps, 'notifications', { ...turn, retentionDays })
    await sweepOldRows(deps, 'schedule_slots', { ...turn, retentionDays })
    await sweepOldRows(deps, 'audit_log', { ...turn, retentionDays: auditRetentionDays })
    for (const ws of await discardAbandonedImports(deps, turn)) {
      deps.log.info('Removed an import that was not continued for 7 days.', { ws })
    }
    await sweepDeletedApps(deps, turn)
    await sweepUnusedPacks(deps, turn)
    await sweepUnusedSources(deps, turn)
    await sweepExpired(deps, turn)
    await reclaimAll(deps.db, signal)
    return undefined
  },
})
