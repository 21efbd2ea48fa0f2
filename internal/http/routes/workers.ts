/**
 * GET /api/w/{ws}/workers
 * GET /api/admin/workers
 */
import { ISOLATION_LEVELS } from '#core/isolation-level.ts'
import { servesWorkspace } from '#core/placement.ts'
import { loadByTag } from '#core/tag-load.ts'
import type { Deps } from '#service/deps.ts'
import type { LiveWorker, LiveWorkers } from '#service/live-workers.ts'
import { listUnserved } from '#service/queue/list-unserved.ts'
import { countReadyByTag, countReadyByTagIn, type TagQueueCount } from '#store/jobs/count.ts'
import { type Route, reply, route } from '../route.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const unserved = z.object({
  job_id: z.uuid(),
  app: z.string(),
  action: z.string(),
  tag: z.string(),
  min_level: z.enum(ISOLATION_LEVELS),
  reason: z.string().describe('which worker is missing'),
})

const workers = z
  .object({
    tags: z.array(
      z.object({
        tag: z.string(),
        live_workers: z.int(),
        queued: z.int().describe('jobs that could run now'),
        oldest_queued_age_s: z.number().nullable().describe('since the oldest of them was due'),
      }),
    ),
    workers: z.array(
      z.object({
        name: z.string(),
        group: z.string(),
        tags: z.array(z.string()),
        level: z.enum(ISOLATION_LEVELS).describe('how strongly it confines jobs'),
        workspaces: z.array(z.string()).describe('whose jobs it takes; empty: all'),
        running: z.int(),
        concurrency: z.int(),
        version: z.string(),
        last_ping_at: z.iso.datetime(),
      }),
    ),
  })
  .openapi('Workers')

const workspaceWorkers = workers
  .extend({
    unserved: z
      .array(unserved)
      .describe('queued jobs of this workspace that no live worker may take, at most 100'),
  })
  .openapi('WorkspaceWorkers')

export type WorkerRouteDeps = Pick<Deps, 'db'> & Readonly<{ liveWorkers: LiveWorkers }>

const MS_PER_S = 1_000

/** Workers that serve the workspace, without the names of other workspaces that they serve too. */
const servingOnly = (live: readonly LiveWorker[], ws: string): readonly LiveWorker[] =>
  live
    .filter((worker) => servesWorkspace(worker, ws))
    .map((worker) => ({ ...worker, workspaces: worker.workspaces.length === 0 ? [] : [ws] }))

const toWire = (queues: readonly TagQueueCount[], live: readonly LiveWorker[]) => {
  const byTag = queues.map(({ tag, count, oldestAgeMs }) => ({
    tag,
    queued: count,
    oldestQueuedAgeS: oldestAgeMs / MS_PER_S,
  }))
  return {
    tags: loadByTag(byTag, live).map((load) => ({
      tag: load.tag,
      live_workers: load.liveWorkers,
      queued: load.queued,
      oldest_queued_age_s: load.oldestQueuedAgeS,
    })),
    workers: live.map((worker) => ({
      name: worker.name,
      group: worker.group,
      tags: worker.tags,
      level: worker.level,
      workspaces: worker.workspaces,
      running: worker.running,
      concurrency: worker.concurrency,
      version: worker.version,
      last_ping_at: toTimestamp(worker.lastPingAt),
    })),
  }
}

export const workerRoutes = (deps: WorkerRouteDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/workers',
    operationId: 'listWorkers',
    scope: 'workers:read',
    tag: 'Workers',
    summary: 'Live workers of this workspace, what waits by tag, and what none of them may take',
    responses: {
      200: { description: 'Workers, tags and unserved jobs', schema: workspaceWorkers },
    },
    handler: async ({ ws }) => {
      const live = await deps.liveWorkers.list()
      const jobs = await listUnserved(deps.db, ws, live)
      return reply(200, {
        ...toWire(await countReadyByTagIn(deps.db, ws), servingOnly(live, ws)),
        unserved: jobs.map(({ id, minLevel, ...job }) => ({
          job_id: id,
          ...job,
          min_level: minLevel,
        })),
      })
    },
  }),
  route({
    method: 'get',
    path: '/api/admin/workers',
    operationId: 'adminListWorkers',
    scope: 'instance',
    tag: 'Instance',
    summary: 'Live workers, and what waits in all workspaces, by tag',
    responses: { 200: { description: 'Workers and tags', schema: workers } },
    handler: async () =>
      reply(200, toWire(await countReadyByTag(deps.db), await deps.liveWorkers.list())),
  }),
]
