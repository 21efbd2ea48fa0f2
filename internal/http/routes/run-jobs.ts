/**
 * POST /api/w/{ws}/jobs/run/{app}/{action}
 * POST /api/w/{ws}/jobs/run/{app}/{action}/wait
 */

import { requireQueueChoice } from '#core/access/policy.ts'
import { customerOf, type Principal } from '#core/access/principal.ts'
import { invalid } from '#core/error.ts'
import { isTerminal } from '#core/job/transitions.ts'
import { isJsonObject } from '#core/json.ts'
import { limit } from '#core/limit.ts'
import { checkRunTag } from '#service/queue/check-tag.ts'
import { type EnqueueDeps, type Enqueued, enqueueJob } from '#service/queue/enqueue-job.ts'
import { waitForJob } from '#service/queue/wait-for-job.ts'
import { problem, type RequestFacts, type Route, route } from '../route.ts'
import { jobAccepted, jobFinished, jobPending } from '../schemas/jobs.ts'
import { actionTarget, checkKeys, idempotencyOf, toAccepted } from '../schemas/run.ts'
import { z } from '../schemas/z.ts'

const MAX_WAIT_MS = limit(
  'job.wait',
  30_000,
  'ms',
  '`timeout_ms` of a run that waits. Then it answers 202.',
)

type Target = z.infer<typeof actionTarget>

const runQuery = z.object({
  tag: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'run on workers of this tag: one of the action’s own, or with the scope apps:write any that the workspace allows',
    ),
  scheduled_for: z.iso.datetime({ offset: true }).optional().describe('not before this time'),
  priority: z
    .string()
    .regex(/^-?\d{1,3}$/, 'must be a whole number from -100 to 100')
    .transform(Number)
    .pipe(z.number().min(-100).max(100))
    .optional()
    .describe('-100 to 100, higher first'),
})
type RunQuery = z.infer<typeof runQuery>

const waitQuery = runQuery.extend({
  timeout_ms: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number from 1 to 30000')
    .transform(Number)
    .pipe(z.number().min(1).max(MAX_WAIT_MS))
    .default(MAX_WAIT_MS),
})

const refusals = {
  400: problem('Not a JSON object, or it does not fit the schema of the action'),
  403: problem('Missing scope; a customer key without the grant; `tag_not_allowed`'),
  404: problem('Unknown app or action'),
  409: problem('The Idempotency-Key was used with another body'),
  413: problem('Body over the limit'),
  429: problem('Too many requests, or too many queued jobs (`queue_full`)'),
}

type RunInput = RequestFacts &
  Readonly<{ params: Target; query: RunQuery; body: unknown; principal: Principal }>

const enqueue = async (deps: EnqueueDeps, input: RunInput): Promise<Enqueued> => {
  const { params, query, body, principal } = input
  checkKeys(params)
  requireQueueChoice(principal, query)
  if (!isJsonObject(body)) {
    throw invalid('The body must be a JSON object; it becomes ctx.input.', {
      code: 'not_an_object',
    })
  }
  const { tag } = query
  const customerId = customerOf(principal)
  if (tag !== undefined) await checkRunTag(deps, principal, { ...params, ws: input.ws, tag })
  return enqueueJob(deps, {
    ws: input.ws,
    app: params.app,
    action: params.action,
    inputJson: input.bodyText,
    input: body,
    triggerKind: 'api',
    createdBy: principal.identity,
    permissionedAs: principal.identity,
    ...(customerId === null ? {} : { customerId }),
    ...(tag === undefined ? {} : { tag }),
    ...(query.priority === undefined ? {} : { priority: query.priority }),
    ...(query.scheduled_for === undefined ? {} : { scheduledFor: Date.parse(query.scheduled_for) }),
    ...idempotencyOf(input, `run/${params.app}/${params.action}`),
  })
}

export const runJobRoutes = (deps: EnqueueDeps): readonly Route[] => [
  route({
    method: 'post',
    path: '/api/w/{ws}/jobs/run/{app}/{action}',
    operationId: 'runJob',
    scope: 'jobs:run',
    customers: true,
    rate: 'run',
    tag: 'Jobs',
    summary: 'Queue a job',
    params: actionTarget,
    query: runQuery,
    body: z.unknown(),
    responses: { 201: { description: 'Queued', schema: jobAccepted }, ...refusals },
    handler: async (input) => {
      const enqueued = await enqueue(deps, input)
      return toAccepted(201, enqueued, { job_id: enqueued.jobId })
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/jobs/run/{app}/{action}/wait',
    operationId: 'runJobAndWait',
    scope: 'jobs:run',
    customers: true,
    rate: 'run',
    tag: 'Jobs',
    summary: 'Queue a job and wait for its end',
    params: actionTarget,
    query: waitQuery,
    body: z.unknown(),
    responses: {
      200: { description: 'Ended', schema: jobFinished },
      202: { description: 'Still queued or running', schema: jobPending },
      ...refusals,
    },
    handler: async (input) => {
      const enqueued = await enqueue(deps, input)
      const { jobId } = enqueued
      const ended = await waitForJob(deps, {
        ws: input.ws,
        id: jobId,
        timeoutMs: input.query.timeout_ms,
        signal: input.signal,
      })
      if (ended === null || !isTerminal(ended.status)) {
        return toAccepted(202, enqueued, { job_id: jobId, status: 'pending' })
      }
      const result: unknown = JSON.parse(ended.resultJson ?? 'null')
      return toAccepted(200, enqueued, { job_id: jobId, status: ended.status, result })
    },
  }),
]
