import { servesWorkspace } from '#core/placement/placement.ts'
import { loadByTag } from '#core/placement/tag-load.ts'
import { SECOND_MS } from '#core/time-units.ts'
import { countReadyInCells } from '#service/cells/count-ready.ts'
import type { Deps } from '#service/deps.ts'
import type { LiveWorker, LiveWorkers } from '#service/nodes/live-workers.ts'
import { listUnserved } from '#service/queue/list-unserved.ts'
import { traceWorkers } from '#service/queue/trace-workers.ts'
import { countReadyByTagIn, type TagQueueCount } from '#store/jobs/count.ts'
import { ok } from '../answer.ts'
import { workerEndpoints } from '../endpoints/workers.ts'
import { handlers } from '../handlers.ts'

export type WorkerRouteDeps = Pick<Deps, 'db' | 'reads' | 'furtherCells'> &
  Readonly<{
    /** Workers that claim jobs of the cell. */
    liveWorkers: LiveWorkers
    /** Workers of the whole instance. @default the same */
    allWorkers?: LiveWorkers
  }>

/** Workers that serve the workspace. The names of other workspaces that they serve are removed. */
const servingOnly = (live: readonly LiveWorker[], ws: string): readonly LiveWorker[] =>
  live
    .filter((worker) => servesWorkspace(worker, ws))
    .map((worker) => ({ ...worker, workspaces: worker.workspaces.length === 0 ? [] : [ws] }))

const toWorkers = (queues: readonly TagQueueCount[], live: readonly LiveWorker[]) => {
  const byTag = queues.map(({ tag, count, oldestAgeMs }) => ({
    tag,
    queued: count,
    oldestQueuedAgeS: oldestAgeMs / SECOND_MS,
  }))
  return { tags: loadByTag(byTag, live), workers: live }
}

export const workerRoutes = handlers(workerEndpoints, (deps: WorkerRouteDeps) => ({
  listWorkers: async ({ ws }) => {
    const live = await deps.liveWorkers.list()
    const jobs = await listUnserved(deps.db, ws, live)
    return ok({
      ...toWorkers(await countReadyByTagIn(deps.db, ws), servingOnly(live, ws)),
      unserved: jobs.map((job) => ({ ...job, jobId: job.id })),
    })
  },
  getWorkerHistory: async ({ ws, query: { recent_seconds: recentSeconds } }) => {
    const { pieceMs, pieces, workers } = await traceWorkers(deps, { ws, recentSeconds })
    return ok({
      bucketSeconds: pieceMs / SECOND_MS,
      buckets: pieces.map(({ isEstimated, ...piece }) => ({ ...piece, estimated: isEstimated })),
      workers: workers.map(({ perInterval, ...worker }) => ({ ...worker, perBucket: perInterval })),
    })
  },
  adminListWorkers: async () => {
    const { allWorkers = deps.liveWorkers } = deps
    return ok(toWorkers(await countReadyInCells(deps), await allWorkers.list()))
  },
}))
