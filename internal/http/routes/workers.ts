/**
 * GET /api/w/{ws}/workers
 * GET /api/admin/workers
 */
import { ISOLATION_LEVELS } from '#core/isolation-level.ts'
import { loadByTag } from '#core/tag-load.ts'
import type { Deps } from '#service/deps.ts'
import type { LiveWorkers } from '#service/live-workers.ts'
import { countReadyByTag, countReadyByTagIn, type TagQueueCount } from '#store/job-counts.ts'
import { type Route, reply, route } from '../route.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

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

export type WorkerRouteDeps = Pick<Deps, 'db'> & Readonly<{ liveWorkers: LiveWorkers }>

const MS_PER_S = 1_000

const toWireWorkers = async (
  { liveWorkers }: WorkerRouteDeps,
  queues: readonly TagQueueCount[],
) => {
  const live = await liveWorkers.list()
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
    summary: 'Live workers, and what waits in this workspace, by tag',
    responses: { 200: { description: 'Workers and tags', schema: workers } },
    handler: async ({ ws }) =>
      reply(200, await toWireWorkers(deps, await countReadyByTagIn(deps.db, ws))),
  }),
  route({
    method: 'get',
    path: '/api/admin/workers',
    operationId: 'adminListWorkers',
    scope: 'instance',
    tag: 'Instance',
    summary: 'Live workers, and what waits in all workspaces, by tag',
    responses: { 200: { description: 'Workers and tags', schema: workers } },
    handler: async () => reply(200, await toWireWorkers(deps, await countReadyByTag(deps.db))),
  }),
]
