import { JOB_STATUS_FILTERS } from '#core/job/operation.ts'
import { TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import { tagName } from '#core/placement/tag-name.ts'
import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { flagQuery } from '../schemas/flag.ts'
import { foldedJob } from '../schemas/folded-jobs.ts'
import { job, jobFigures, jobSummary, jobTimeline } from '../schemas/jobs.ts'
import { labelQuery } from '../schemas/label.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { dismissalBody, dismissalsBody } from '../schemas/shared-bodies.ts'
import { recentSeconds, timeQuery } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const listQuery = pageQuery.extend({
  status: z.enum(JOB_STATUS_FILTERS).default('all'),
  app: z.string().max(200).optional(),
  action: z.string().max(200).optional(),
  trigger_kind: z.enum(TRIGGER_KINDS).optional(),
  suspended: flagQuery.optional().describe('jobs that wait for a durable step'),
  flow_run_id: z.uuid().optional().describe('jobs of this flow run'),
  dismissed: flagQuery.optional().describe('dismissed failures; false leaves them out'),
  label: labelQuery.optional().describe('jobs with this label'),
  since: timeQuery.optional().describe('created at or after'),
  until: timeQuery.optional().describe('created at or before'),
})

const FOLDED_STATUSES = ['all', 'completed', 'running', 'success', 'failure', 'canceled'] as const

const foldedQuery = listQuery
  .pick({ limit: true, cursor: true, app: true, dismissed: true, since: true, until: true })
  .extend({ status: z.enum(FOLDED_STATUSES).default('all').describe('of the job, or of the run') })

const summaryQuery = z.object({ recent_seconds: recentSeconds })

const figuresQuery = summaryQuery
  .extend({
    app: z.string().max(200).optional(),
    action: z.string().max(200).optional().describe('of the app'),
  })
  .refine(({ app, action }) => action === undefined || app !== undefined, {
    path: ['app'],
    error: 'is needed with an action',
  })

const requeueBody = z
  .strictObject({
    tag: tagName.optional(),
  })
  .optional()

export const jobListEndpoints = {
  listJobs: endpoint({
    method: 'get',
    path: '/jobs',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary: 'Jobs, newest first; keep the filters while paging',
    query: listQuery,
    answers: { 200: json('A page', pageOf(job)), 400: problem('Bad filter or cursor') },
  }),
  listFoldedJobs: endpoint({
    method: 'get',
    path: '/jobs/folded',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary:
      'Jobs and flow runs, newest first: a run is one row in place of its jobs; without `flows:read` its jobs are rows. A page may be short and not be the last',
    query: foldedQuery,
    answers: { 200: json('A page', pageOf(foldedJob)), 400: problem('Bad filter or cursor') },
  }),
  getJobSummary: endpoint({
    method: 'get',
    path: '/jobs/summary',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary: 'Counts of queued and running jobs, and of those that ended lately',
    query: summaryQuery,
    answers: { 200: json('Counts', jobSummary) },
  }),
  getJobTimeline: endpoint({
    method: 'get',
    path: '/jobs/timeline',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary: 'How many jobs ended when',
    query: summaryQuery,
    answers: { 200: json('Counts over time', jobTimeline) },
  }),
  getJobFigures: endpoint({
    method: 'get',
    path: '/jobs/figures',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary: 'Runs, failures, waits and durations over time; of an app or action if one is named',
    query: figuresQuery,
    answers: {
      200: json('Figures over time', jobFigures),
      400: problem('An action without an app'),
    },
  }),
  requeueJob: endpoint({
    method: 'post',
    path: '/jobs/{id}/requeue',
    in: 'workspace',
    admits: ['apps:write'],
    tag: 'Jobs',
    summary: 'Requeue a queued job, under another tag if given',
    body: requeueBody,
    bodyKind: 'optional_json',
    answers: {
      200: json('The job', job),
      404: problem('Unknown id'),
      409: problem('The job is no longer queued'),
    },
  }),
  dismissJob: endpoint({
    method: 'post',
    path: '/jobs/{id}/dismiss',
    in: 'workspace',
    admits: ['jobs:run'],
    tag: 'Jobs',
    summary: 'Dismiss a failed job, or restore it',
    body: dismissalBody,
    bodyKind: 'optional_json',
    answers: {
      200: json('The job', job),
      403: problem('Neither the creator nor an admin'),
      404: problem('Unknown id'),
      409: problem('The job has not failed (`not_failed`)'),
    },
  }),
  dismissJobs: endpoint({
    method: 'post',
    path: '/jobs/dismiss',
    in: 'workspace',
    admits: ['jobs:run'],
    tag: 'Jobs',
    summary: 'Dismiss failed jobs, or restore them; members only their own',
    body: dismissalsBody,
    answers: { 200: json('How many were changed', z.object({ changed: z.int() })) },
  }),
}
