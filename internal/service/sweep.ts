/** Takes away what is older than the retention window, and what has expired [jobs 13.1]. */
import { deleteOldAuditEntries, hasOldAuditEntries } from '#store/audit-log.ts'
import { deleteOldFunctionCalls, hasOldFunctionCalls } from '#store/function-calls.ts'
import { deleteOldScheduleSlots, hasOldScheduleSlots } from '#store/schedule-slots.ts'
import {
  deleteEndedFlowRuns,
  deleteEndedJobs,
  deleteExpired,
  findExpired,
  hasEndedFlowRuns,
  listEndedJobIds,
} from '#store/sweeps.ts'
import { listWorkspaceIds } from '#store/workspaces.ts'
import type { Deps } from './deps.ts'

/** Rows of one write: a few milliseconds, in which nothing else in this process runs. */
const BATCH = 100
/** 4 KiB each. A turn holds up everything else in this process, about 10 ms for so many. */
const PAGES_A_TURN = 128
const DAY_MS = 86_400_000

export type SweepRequest = Readonly<{
  /** 0 keeps everything. */
  retentionDays: number
  signal: AbortSignal
  /** Asked before anything is deleted: of many nodes one does it. @default yes */
  mayDelete?: () => Promise<boolean>
}>

const anybody = async (): Promise<boolean> => true

/** A moment for everybody else between two batches. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

/** @returns how many jobs were deleted */
export const sweepJobs = async (
  { db }: Pick<Deps, 'db'>,
  { retentionDays, signal, mayDelete = anybody }: SweepRequest,
): Promise<number> => {
  if (retentionDays === 0) return 0
  const endedBefore = (await db.now()) - retentionDays * DAY_MS
  let deleted = 0
  for (const ws of await listWorkspaceIds(db)) {
    let afterId = ''
    while (!signal.aborted) {
      const ids = await listEndedJobIds(db, { ws, endedBefore, afterId, limit: BATCH })
      const last = ids.at(-1)
      if (last === undefined) break
      if (!(await mayDelete())) return deleted
      await db.write(deleteEndedJobs(ws, ids), { retry: true })
      deleted += ids.length
      afterId = last
      await rest()
    }
  }
  if (deleted > 0) await reclaimAll(db, signal)
  return deleted
}

/** The disk gets back what the deleted rows took (target I12). */
const reclaimAll = async (db: Deps['db'], signal: AbortSignal): Promise<void> => {
  while (!signal.aborted && (await db.reclaim(PAGES_A_TURN)) > 0) await rest()
}

/** As jobs; whoever is named in a swept run's link use stays counted there. */
export const sweepFlowRuns = async (
  { db }: Pick<Deps, 'db'>,
  { retentionDays, signal, mayDelete = anybody }: SweepRequest,
): Promise<void> => {
  if (retentionDays === 0) return
  const endedBefore = (await db.now()) - retentionDays * DAY_MS
  while (!signal.aborted && (await hasEndedFlowRuns(db, endedBefore))) {
    if (!(await mayDelete())) return
    await db.write(deleteEndedFlowRuns(endedBefore, BATCH), { retry: true })
    await rest()
  }
}

/** The record of function calls is kept as long as jobs. */
export const sweepFunctionCalls = async (
  { db }: Pick<Deps, 'db'>,
  { retentionDays, signal, mayDelete = anybody }: SweepRequest,
): Promise<void> => {
  if (retentionDays === 0) return
  while (!signal.aborted && (await hasOldFunctionCalls(db, retentionDays))) {
    if (!(await mayDelete())) return
    await db.write([deleteOldFunctionCalls(retentionDays, BATCH)], { retry: true })
    await rest()
  }
}

/** What became of slots is kept as long as jobs are. */
export const sweepScheduleSlots = async (
  { db }: Pick<Deps, 'db'>,
  { retentionDays, signal, mayDelete = anybody }: SweepRequest,
): Promise<void> => {
  if (retentionDays === 0) return
  while (!signal.aborted && (await hasOldScheduleSlots(db, retentionDays))) {
    if (!(await mayDelete())) return
    await db.write([deleteOldScheduleSlots(retentionDays, BATCH)], { retry: true })
    await rest()
  }
}

/** The audit log has a window of its own. */
export const sweepAuditLog = async (
  { db }: Pick<Deps, 'db'>,
  { retentionDays, signal, mayDelete = anybody }: SweepRequest,
): Promise<void> => {
  if (retentionDays === 0) return
  while (!signal.aborted && (await hasOldAuditEntries(db, retentionDays))) {
    if (!(await mayDelete())) return
    await db.write([deleteOldAuditEntries(retentionDays, BATCH)], { retry: true })
    await rest()
  }
}

export const sweepExpired = async (
  { db }: Pick<Deps, 'db'>,
  { signal, mayDelete = anybody }: Pick<SweepRequest, 'signal' | 'mayDelete'>,
): Promise<void> => {
  while (!signal.aborted && (await db.one(findExpired))?.found === 1) {
    if (!(await mayDelete())) return
    await db.write(deleteExpired(BATCH), { retry: true })
    await rest()
  }
}
