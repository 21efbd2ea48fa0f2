/**
 * POST /api/w/{ws}/jobs/run/{app}/{action}
 * POST /api/w/{ws}/jobs/run/{app}/{action}/wait
 */
import { createHash } from 'node:crypto'
import { invalid } from '#core/error.ts'
import { isTerminal } from '#core/job.ts'
import { isJsonObject } from '#core/json.ts'
import type { Principal } from '#core/principal.ts'
import { type EnqueueDeps, type Enqueued, enqueueJob } from '#service/enqueue-job.ts'
import { waitForJob } from '#service/wait-for-job.ts'
import { problem, type Reply, type RequestFacts, type Route, route } from '../route.ts'
import { jobAccepted, jobFinished, jobPending } from '../schemas/jobs.ts'
import { z } from '../schemas/z.ts'

const MAX_WAIT_MS = 30_000

const target = z.object({ ws: z.string(), app: z.string(), action: z.string() })
type Target = z.infer<typeof target>

const runQuery = z.object({
  tag: z.string().min(1).max(64).optional().describe('run on workers of this tag'),
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
  404: problem('Unknown app or action'),
  409: problem('The Idempotency-Key was used with another body'),
  413: problem('Body over the limit'),
}

const KEY = /^[a-z0-9][a-z0-9_-]{0,62}$/i
const MAX_IDEMPOTENCY_KEY = 255

type RunInput = RequestFacts &
  Readonly<{ params: Target; query: RunQuery; body: unknown; principal: Principal }>

const enqueue = (deps: EnqueueDeps, input: RunInput): Promise<Enqueued> => {
  const { params, query, body, principal } = input
  if (!KEY.test(params.app) || !KEY.test(params.action)) {
    throw invalid('An app or action key has letters, digits, - and _ only.', { code: 'bad_key' })
  }
  if (!isJsonObject(body)) {
    throw invalid('The body must be a JSON object; it becomes ctx.input.', {
      code: 'not_an_object',
    })
  }
  return enqueueJob(deps, {
    ws: input.ws,
    app: params.app,
    action: params.action,
    inputJson: input.bodyText,
    input: body,
    triggerKind: 'api',
    createdBy: principal.email,
    permissionedAs: principal.email,
    ...(query.tag === undefined ? {} : { tag: query.tag }),
    ...(query.priority === undefined ? {} : { priority: query.priority }),
    ...(query.scheduled_for === undefined ? {} : { scheduledFor: Date.parse(query.scheduled_for) }),
    ...idempotency(input),
  })
}

/** A key belongs to a credential and a route (contract, fine print 24). */
const idempotency = ({ header, params, principal, bodyText }: RunInput) => {
  const key = header('idempotency-key')
  if (key === undefined) return {}
  if (key.length === 0 || key.length > MAX_IDEMPOTENCY_KEY) {
    throw invalid(`An Idempotency-Key has 1 to ${MAX_IDEMPOTENCY_KEY} characters.`)
  }
  return {
    idempotency: {
      credential: principal.credentialId,
      route: `run/${params.app}/${params.action}`,
      key,
      bodyHash: createHash('sha256').update(bodyText).digest('hex'),
    },
  }
}

const answer = (status: number, enqueued: Enqueued, body: object): Reply => ({
  status,
  body,
  ...(enqueued.replayed ? { headers: { 'idempotency-replayed': 'true' } } : {}),
})

export const runJobRoutes = (deps: EnqueueDeps): readonly Route[] => [
  route({
    method: 'post',
    path: '/api/w/{ws}/jobs/run/{app}/{action}',
    scope: 'jobs:run',
    tag: 'Jobs',
    summary: 'Queue a job',
    params: target,
    query: runQuery,
    body: z.unknown(),
    responses: { 201: { description: 'Queued', schema: jobAccepted }, ...refusals },
    handler: async (input) => {
      const enqueued = await enqueue(deps, input)
      return answer(201, enqueued, { job_id: enqueued.jobId })
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/jobs/run/{app}/{action}/wait',
    scope: 'jobs:run',
    tag: 'Jobs',
    summary: 'Queue a job and wait for its end',
    params: target,
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
        return answer(202, enqueued, { job_id: jobId, status: 'pending' })
      }
      const result: unknown = JSON.parse(ended.resultJson ?? 'null')
      return answer(200, enqueued, { job_id: jobId, status: ended.status, result })
    },
  }),
]
