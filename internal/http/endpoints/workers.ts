import { ISOLATION_LEVELS } from '#core/placement/isolation-level.ts'
import { json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { recentSeconds } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

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
        last_ping_at: time,
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

const workerHistory = z
  .object({
    bucket_seconds: z.int(),
    buckets: z.array(
      z.object({
        at: time.describe('when the bucket begins; the last one is not over yet'),
        jobs: z.int().describe('that were queued in it, at most 5000'),
        estimated: z.boolean().describe('the workers are those of its newest 500 jobs'),
      }),
    ),
    workers: z
      .array(
        z.object({
          name: z.string(),
          jobs: z.int(),
          failures: z.int(),
          first_at: time.describe('when the first of its jobs started'),
          last_at: time.describe('when the last of its jobs ended or started'),
          per_bucket: z.array(z.int()),
        }),
      )
      .describe('those with most jobs first, at most 100'),
  })
  .openapi('WorkerHistory')

export const workerEndpoints = {
  listWorkers: endpoint({
    method: 'get',
    path: '/workers',
    in: 'workspace',
    admits: ['workers:read'],
    tag: 'Workers',
    summary:
      'Live workers of this workspace, queued jobs by tag, and queued jobs that no worker may claim',
    answers: { 200: json('Workers, tags and unserved jobs', workspaceWorkers) },
  }),
  getWorkerHistory: endpoint({
    method: 'get',
    path: '/workers/history',
    in: 'workspace',
    admits: ['workers:read'],
    tag: 'Workers',
    summary: 'Which workers ran the jobs of this workspace over time',
    query: z.object({ recent_seconds: recentSeconds }),
    answers: { 200: json('Workers and their jobs over time', workerHistory) },
  }),
  adminListWorkers: endpoint({
    method: 'get',
    path: '/api/admin/workers',
    admits: ['instance'],
    tag: 'Instance',
    summary: 'Live workers, and what waits in all workspaces, by tag',
    answers: { 200: json('Workers and tags', workers) },
  }),
}
