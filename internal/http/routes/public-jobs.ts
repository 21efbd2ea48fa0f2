/**
 * GET /api/public/jobs/{token}
 * GET /api/public/jobs/{token}/result
 * GET /api/public/jobs/{token}/logs
 */
import { notFound } from '#core/error.ts'
import { isTerminal, JOB_STATUSES } from '#core/job/transitions.ts'
import type { Deps } from '#service/deps.ts'
import { openJobText } from '#service/flows/open-job.ts'
import { readLog } from '#service/read-log.ts'
import { openViewToken } from '#service/share-job.ts'
import { findJob, findJobResult, type Job } from '#store/jobs/read.ts'
import { problem, publicRoute, type Route, reply } from '../route.ts'
import { jobResult, resultPending, toWireJob } from '../schemas/jobs.ts'
import { logQuery, PLAIN_TEXT } from '../schemas/log-query.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const params = z.object({ token: z.string() })

const ended = {
  404: problem('No such link, or its job is gone'),
  410: problem('The link has expired or was revoked'),
}

const sharedJob = z
  .object({
    job_id: z.uuid(),
    status: z.enum(JOB_STATUSES),
    app: z.string(),
    action: z.string(),
    created_at: z.string(),
    started_at: z.string().nullable(),
    completed_at: z.string().nullable(),
    duration_ms: z.int().nullable(),
    expires_at: z.string().describe('when the link ends'),
  })
  .openapi('SharedJob')

/** Neither who started it nor with what: the link may be in anybody's hands. */
const toSharedJob = (row: Job, expiresAt: number) => {
  const { job_id, status, app, action, created_at, started_at, completed_at, duration_ms } =
    toWireJob(row)
  const times = { created_at, started_at, completed_at, duration_ms }
  return { job_id, status, app, action, ...times, expires_at: toTimestamp(expiresAt) }
}

export const publicJobRoutes = (deps: Pick<Deps, 'db' | 'keyring'>): readonly Route[] => [
  publicRoute({
    method: 'get',
    path: '/api/public/jobs/{token}',
    operationId: 'getPublicJob',
    tag: 'Shared jobs',
    summary: 'A shared job',
    params,
    responses: { 200: { description: 'The job', schema: sharedJob }, ...ended },
    handler: async ({ params: { token } }) => {
      const { ws, jobId, expiresAt } = await openViewToken(deps.db, token)
      const row = await findJob(deps.db, ws, jobId)
      if (row === null) throw notFound('Shared job')
      return reply(200, toSharedJob(row, expiresAt))
    },
  }),
  publicRoute({
    method: 'get',
    path: '/api/public/jobs/{token}/result',
    operationId: 'getPublicJobResult',
    tag: 'Shared jobs',
    summary: 'Result of a shared job',
    params,
    responses: {
      200: { description: 'Ended: success, failure or canceled', schema: jobResult },
      202: { description: 'Queued or running', schema: resultPending },
      ...ended,
    },
    handler: async ({ params: { token } }) => {
      const { ws, jobId } = await openViewToken(deps.db, token)
      const row = await findJobResult(deps.db, ws, jobId)
      if (row === null) throw notFound('Shared job')
      if (!isTerminal(row.status)) return reply(202, { status: 'pending' })
      const text = row.resultJson
      const result = openJobText(deps.keyring, row, { field: 'result', text })
      return reply(200, { status: row.status, result })
    },
  }),
  publicRoute({
    method: 'get',
    path: '/api/public/jobs/{token}/logs',
    operationId: 'getPublicJobLogs',
    tag: 'Shared jobs',
    summary: 'Output of a shared job so far',
    params,
    query: logQuery,
    responses: {
      200: { description: 'stdout and stderr so far', contentType: 'text/plain' },
      400: problem('tail_bytes out of range'),
      ...ended,
    },
    handler: async ({ params: { token }, query }) => {
      const { ws, jobId } = await openViewToken(deps.db, token)
      if ((await findJobResult(deps.db, ws, jobId)) === null) throw notFound('Shared job')
      const bytes = await readLog(deps.db, jobId, query.tail_bytes ?? null)
      return new Response(bytes, { headers: PLAIN_TEXT })
    },
  }),
]
