/**
 * GET  /api/w/{ws}/jobs/{id}
 * GET  /api/w/{ws}/jobs/{id}/result
 * GET  /api/w/{ws}/jobs/{id}/attempts
 * GET  /api/w/{ws}/jobs/{id}/logs
 * GET  /api/w/{ws}/jobs/{id}/events
 * POST /api/w/{ws}/jobs/{id}/cancel
 */

import { maySeeInput, requireReadableJob } from '#core/access/policy.ts'
import { isTerminal } from '#core/job/transitions.ts'
import type { FlowDeps } from '#service/flows/load-run.ts'
import { openJobText } from '#service/flows/open-job.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { readLog } from '#service/read-log.ts'
import { listAttempts } from '#store/jobs/attempts.ts'
import { findJobDetail, findJobResult } from '#store/jobs/read.ts'
import { toEventStream } from '../event-stream.ts'
import { readableJobId } from '../readable-job.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { jobParams, toJobId } from '../schemas/job-id.ts'
import {
  cancelAnswer,
  jobAttempt,
  jobDetail,
  jobResult,
  resultPending,
  toWireAttempt,
  toWireJob,
} from '../schemas/jobs.ts'
import { logQuery, PLAIN_TEXT } from '../schemas/log-query.ts'
import { pageOf } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { followJob } from './follow-job.ts'
import { followLog } from './follow-log.ts'

const cancelBody = z.strictObject({ reason: z.string().max(1_000).optional() }).optional()

export const jobRoutes = (deps: FlowDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/{id}',
    operationId: 'getJob',
    scope: 'jobs:read',
    customers: true,
    tag: 'Jobs',
    summary: 'A job',
    params: jobParams,
    responses: { 200: { description: 'The job', schema: jobDetail }, 404: problem('Unknown id') },
    handler: async ({ ws, params, principal }) => {
      const id = readableJobId(principal, params.id)
      const detail = requireReadableJob(principal, await findJobDetail(deps.db, ws, id))
      const { keyring } = deps
      const result = openJobText(keyring, detail, { field: 'result', text: detail.resultJson })
      if (!maySeeInput(principal, detail)) return reply(200, { ...toWireJob(detail), result })
      const input = openJobText(keyring, detail, { field: 'input', text: detail.inputJson })
      return reply(200, { ...toWireJob(detail), result, input })
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/{id}/result',
    operationId: 'getJobResult',
    scope: 'jobs:read',
    customers: true,
    tag: 'Jobs',
    summary: 'Result of a job',
    params: jobParams,
    responses: {
      200: { description: 'Ended: success, failure or canceled', schema: jobResult },
      202: { description: 'Queued or running', schema: resultPending },
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params, principal }) => {
      const id = readableJobId(principal, params.id)
      const row = requireReadableJob(principal, await findJobResult(deps.db, ws, id))
      if (!isTerminal(row.status)) return reply(202, { status: 'pending' })
      const text = row.resultJson
      const result = openJobText(deps.keyring, row, { field: 'result', text })
      return reply(200, { status: row.status, result })
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/{id}/attempts',
    operationId: 'listJobAttempts',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'Attempts of a job, oldest first: who ran each, when, and how it ended',
    params: jobParams,
    responses: {
      200: { description: 'All attempts', schema: pageOf(jobAttempt) },
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params, principal }) => {
      const id = readableJobId(principal, params.id)
      const row = requireReadableJob(principal, await findJobResult(deps.db, ws, id))
      const attempts = await listAttempts(deps.db, ws, id)
      const items = attempts.map((attempt) => {
        const text = attempt.errorText
        return toWireAttempt(attempt, openJobText(deps.keyring, row, { field: 'result', text }))
      })
      return reply(200, { items, pagination: { next_cursor: null } })
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/{id}/logs',
    operationId: 'getJobLogs',
    scope: 'jobs:read',
    customers: true,
    tag: 'Jobs',
    summary: 'Output of a job; as text/event-stream it follows until the job ends',
    params: jobParams,
    query: logQuery,
    responses: {
      200: { description: 'stdout and stderr so far', contentType: 'text/plain' },
      400: problem('tail_bytes out of range'),
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params, query, header, signal, principal }) => {
      const id = readableJobId(principal, params.id)
      requireReadableJob(principal, await findJobResult(deps.db, ws, id))
      if (header('accept')?.includes('text/event-stream') === true) {
        return toEventStream(signal, (until) => followLog(deps, { ws, id, signal: until }))
      }
      return new Response(await readLog(deps.db, id, query.tail_bytes ?? null), {
        headers: PLAIN_TEXT,
      })
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/{id}/events',
    operationId: 'streamJobEvents',
    scope: 'jobs:read',
    customers: true,
    tag: 'Jobs',
    summary: 'Each status of a job until its end, as server-sent events',
    params: jobParams,
    responses: {
      200: { description: 'Events `status`', contentType: 'text/event-stream' },
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params, signal, principal }) => {
      const id = readableJobId(principal, params.id)
      requireReadableJob(principal, await findJobResult(deps.db, ws, id))
      return toEventStream(signal, (until) => followJob(deps, { ws, id, signal: until }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/jobs/{id}/cancel',
    operationId: 'cancelJob',
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
    handler: async ({ ws, params, body, principal: caller }) => {
      const id = toJobId(params.id)
      return reply(200, await cancelJob(deps, { ws, id, caller, reason: body?.reason ?? null }))
    },
  }),
]
