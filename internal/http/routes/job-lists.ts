/**
 * GET  /api/w/{ws}/jobs
 * GET  /api/w/{ws}/jobs/summary
 * GET  /api/w/{ws}/jobs/timeline
 * POST /api/w/{ws}/jobs/{id}/requeue
 */
import { JOB_STATUSES, type JobStatus, TERMINAL_STATUSES } from '#core/job/transitions.ts'
import { TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import type { Deps } from '#service/deps.ts'
import { requeueJob } from '#service/queue/requeue-job.ts'
import { summarizeWorkspaceJobs, traceWorkspaceJobs } from '#service/queue/summarize-jobs.ts'
import { listJobs } from '#store/jobs/list.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { jobParams, toJobId } from '../schemas/job-id.ts'
import {
  job,
  jobSummary,
  jobTimeline,
  toWireJob,
  toWireSummary,
  toWireTimeline,
} from '../schemas/jobs.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { timeQuery } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

/** `completed` is all that ended, `all` is no filter [jobs 5.7]. */
const STATUS_FILTERS = ['all', 'completed', ...JOB_STATUSES] as const

const toStatuses = (filter: (typeof STATUS_FILTERS)[number]): readonly JobStatus[] => {
  if (filter === 'all') return []
  return filter === 'completed' ? TERMINAL_STATUSES : [filter]
}

const listQuery = pageQuery.extend({
  status: z.enum(STATUS_FILTERS).default('all'),
  app: z.string().max(200).optional(),
  action: z.string().max(200).optional(),
  trigger_kind: z.enum(TRIGGER_KINDS).optional(),
  since: timeQuery.optional().describe('created at or after'),
  until: timeQuery.optional().describe('created at or before'),
})

const MAX_RECENT_S = 366 * 86_400

const summaryQuery = z.object({
  recent_seconds: z.coerce.number().int().min(1).max(MAX_RECENT_S).default(86_400),
})

const requeueBody = z
  .strictObject({
    tag: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, . - or _')
      .optional(),
  })
  .optional()

export const jobListRoutes = (
  deps: Pick<Deps, 'db' | 'reads' | 'newId' | 'hints'>,
): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs',
    operationId: 'listJobs',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'Jobs, newest first; keep the filters while paging',
    query: listQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(job) },
      400: problem('Bad filter or cursor'),
    },
    handler: async ({ ws, query }) => {
      const { limit } = query
      const rows = await listJobs(deps.reads, ws, {
        statuses: toStatuses(query.status),
        app: query.app ?? null,
        action: query.action ?? null,
        triggerKind: query.trigger_kind ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        beforeId: decodeCursor(query.cursor),
        limit: limit + 1,
      })
      return reply(
        200,
        toPage(rows, limit, { toItem: (row) => toWireJob(row), keyOf: ({ id }) => id }),
      )
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/summary',
    operationId: 'getJobSummary',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'Counts of queued and running jobs, and of those that ended lately',
    query: summaryQuery,
    responses: { 200: { description: 'Counts', schema: jobSummary } },
    handler: async ({ ws, query }) => {
      const counts = await summarizeWorkspaceJobs(deps, ws, query.recent_seconds)
      return reply(200, toWireSummary(counts, query.recent_seconds))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/timeline',
    operationId: 'getJobTimeline',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'How many jobs ended when',
    query: summaryQuery,
    responses: { 200: { description: 'Counts over time', schema: jobTimeline } },
    handler: async ({ ws, query }) =>
      reply(200, toWireTimeline(await traceWorkspaceJobs(deps, ws, query.recent_seconds))),
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/jobs/{id}/requeue',
    operationId: 'requeueJob',
    scope: 'apps:write',
    tag: 'Jobs',
    summary: 'Put a queued job before the workers again, under another tag if given',
    params: jobParams,
    body: requeueBody,
    bodyKind: 'optional_json',
    responses: {
      200: { description: 'The job', schema: job },
      404: problem('Unknown id'),
      409: problem('The job is no longer queued'),
    },
    handler: async ({ ws, params, body, actor }) => {
      const row = await requeueJob(deps, {
        ws,
        id: toJobId(params.id),
        tag: body?.tag ?? null,
        actor,
      })
      return reply(200, toWireJob(row))
    },
  }),
]
