/**
 * GET  /api/w/{ws}/jobs/{id}
 * GET  /api/w/{ws}/jobs/{id}/result
 * GET  /api/w/{ws}/jobs/{id}/logs
 * POST /api/w/{ws}/jobs/{id}/cancel
 */
import { AppError, notFound } from '#core/error.ts'
import { isTerminal } from '#core/job.ts'
import type { Principal } from '#core/principal.ts'
import { cancelJob } from '#service/cancel-job.ts'
import type { Deps } from '#service/deps.ts'
import { readLog } from '#service/read-log.ts'
import { findJobDetail, findJobResult, type Job } from '#store/jobs.ts'
import { problem, type Route, reply, route } from '../route.ts'
import {
  cancelAnswer,
  jobDetail,
  jobResult,
  resultPending,
  toWireJobDetail,
} from '../schemas/jobs.ts'
import { z } from '../schemas/z.ts'
import { followLog } from './follow-log.ts'

const MAX_TAIL_BYTES = 1_048_576

const jobParams = z.object({ ws: z.string(), id: z.string() })
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A path id that is no UUID names nothing (contract, Jobs). */
const toJobId = (id: string): string => {
  if (!UUID.test(id)) throw notFound('Job')
  return id.toLowerCase()
}

const logQuery = z.object({
  tail_bytes: z
    .string()
    .regex(/^\d{1,7}$/, `must be a whole number from 0 to ${MAX_TAIL_BYTES}`)
    .transform(Number)
    .pipe(z.number().max(MAX_TAIL_BYTES))
    .optional(),
})

const cancelBody = z.strictObject({ reason: z.string().max(1_000).optional() }).optional()

/** Only its creator and admins see the input of a job. */
const maySeeInput = (principal: Principal, row: Job): boolean =>
  principal.isAdmin || principal.isSuperAdmin || principal.email === row.createdBy

const TEXT = { 'content-type': 'text/plain; charset=utf-8' } as const

export const jobRoutes = (deps: Pick<Deps, 'db' | 'hints'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/{id}',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'A job',
    params: jobParams,
    responses: { 200: { description: 'The job', schema: jobDetail }, 404: problem('Unknown id') },
    handler: async ({ ws, params, principal }) => {
      const id = toJobId(params.id)
      const detail = await findJobDetail(deps.db, ws, id)
      if (detail === null) throw notFound('Job')
      return reply(200, toWireJobDetail(detail, maySeeInput(principal, detail.job)))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/{id}/result',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'Result of a job',
    params: jobParams,
    responses: {
      200: { description: 'Ended: success, failure or canceled', schema: jobResult },
      202: { description: 'Queued or running', schema: resultPending },
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params }) => {
      const row = await findJobResult(deps.db, ws, toJobId(params.id))
      if (row === null) throw notFound('Job')
      if (!isTerminal(row.status)) return reply(202, { status: 'pending' })
      const result: unknown = JSON.parse(row.resultJson ?? 'null')
      return reply(200, { status: row.status, result })
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/{id}/logs',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'Output of a job; as text/event-stream it follows until the job ends',
    params: jobParams,
    query: logQuery,
    responses: {
      200: { description: 'stdout and stderr so far', contentType: 'text/plain' },
      400: problem('tail_bytes out of range'),
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params, query, header, signal }) => {
      const id = toJobId(params.id)
      if ((await findJobResult(deps.db, ws, id)) === null) throw notFound('Job')
      if (header('accept')?.includes('text/event-stream') === true) {
        return followLog(deps, { ws, id, signal })
      }
      return new Response(await readLog(deps.db, id, query.tail_bytes ?? null), { headers: TEXT })
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/jobs/{id}/cancel',
    scope: 'jobs:run',
    tag: 'Jobs',
    summary: 'Cancel a job',
    params: jobParams,
    body: cancelBody,
    bodyKind: 'optional_json',
    responses: {
      200: { description: 'What the cancel did', schema: cancelAnswer },
      403: problem('Neither the creator nor an admin'),
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params, body, principal }) => {
      if (principal.kind === 'customer_key') throw new AppError('forbidden', 'Not with this key.')
      return reply(
        200,
        await cancelJob(deps, {
          ws,
          id: toJobId(params.id),
          by: principal.email,
          isAdmin: principal.isAdmin || principal.isSuperAdmin,
          reason: body?.reason ?? null,
        }),
      )
    },
  }),
]
