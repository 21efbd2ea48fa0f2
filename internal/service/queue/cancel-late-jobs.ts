/** Cancels queued jobs that were not started within `startTimeoutS` of their action [jobs 21]. All nodes may run it at once. */
import { START_TIMEOUT } from '#core/job/start-timeout.ts'
import { unlessNewer } from '#core/newer-svc.ts'
import { asText } from '#store/column.ts'
import { cancelLateJobs, isStillLate, type LateJob, listLateJobs } from '#store/jobs/late.ts'
import { createDueTurns, type DueTurns } from '../due-turns.ts'
import { cancelQueuedChild } from '../flows/end-child.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { createTurnFailures } from '../turn-failures.ts'

const BATCH = 200

/**
 * Cancels late jobs, of each workspace at most a page. Reads first, and writes nothing while no job is late. A failure does not
 * affect other jobs.
 * @returns the ids of the jobs that it canceled
 * @throws {Error} the first failure, after all others have been canceled
 */
export const cancelLate = async (
  deps: FlowDeps,
  turns: DueTurns = createDueTurns(),
): Promise<readonly string[]> => {
  const failures = createTurnFailures()
  const canceled: string[] = []
  const cancelAll = async (late: readonly LateJob[]): Promise<readonly boolean[]> => {
    const { own = [], ofFlow = [] } = Object.groupBy(late, ({ isOfFlow }) =>
      isOfFlow ? 'ofFlow' : 'own',
    )
    const ended = await Promise.all([
      failures.keep(() => cancelOwn(deps, own), []),
      ...ofFlow.map((job) => failures.keep(() => cancelChild(deps, job), [])),
    ])
    const ids = new Set(ended.flat())
    for (const id of ids) deps.hints.jobChanged.emit(id)
    canceled.push(...ids)
    return late.map(({ id }) => ids.has(id))
  }
  await turns.take(BATCH, (page) => listLateJobs(deps.db, page), cancelAll)
  failures.throwFirst()
  return canceled
}

const cancelOwn = async (
  { db }: FlowDeps,
  jobs: readonly LateJob[],
): Promise<readonly string[]> => {
  if (jobs.length === 0) return []
  const [canceled] = await db.write(cancelLateJobs(jobs), { retry: true })
  return (canceled?.rows ?? []).map(({ id }) => asText(id))
}

/** Cancels a job of a flow, which fails its step. */
const cancelChild = async (deps: FlowDeps, job: LateJob): Promise<readonly string[]> => {
  const { ws, id } = job
  const cancel = { ws, id, ...START_TIMEOUT }
  const isCanceled = await unlessNewer(
    () => cancelQueuedChild(deps, cancel, isStillLate(job)),
    false,
  )
  return isCanceled ? [id] : []
}
