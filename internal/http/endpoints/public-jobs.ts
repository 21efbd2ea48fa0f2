import { JOB_STATUSES } from '#core/job/transitions.ts'
import { json, jsonOrPage, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { jobResult, resultPending } from '../schemas/jobs.ts'
import { logQuery } from '../schemas/log-query.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const ended = {
  404: problem('No such link, or its job is gone'),
  410: problem('The link has expired or was revoked'),
}

/** It omits the caller and the input, because anyone may have the link. */
const sharedJob = z
  .object({
    job_id: z.uuid(),
    status: z.enum(JOB_STATUSES),
    app: z.string(),
    action: z.string(),
    created_at: time,
    started_at: time.nullable(),
    completed_at: time.nullable(),
    duration_ms: z.int().nullable(),
    expires_at: time.describe('when the link ends'),
  })
  .openapi('SharedJob')

export const publicJobEndpoints = {
  getPublicJob: endpoint({
    method: 'get',
    path: '/api/public/jobs/{token}',
    admits: ['public'],
    tag: 'Shared jobs',
    summary: 'A shared job, as a page for browsers (`accept: text/html`) and else as JSON',
    answers: { 200: jsonOrPage('The job', sharedJob), ...ended },
  }),
  getPublicJobResult: endpoint({
    method: 'get',
    path: '/api/public/jobs/{token}/result',
    admits: ['public'],
    tag: 'Shared jobs',
    summary: 'Result of a shared job',
    answers: {
      200: json('Ended: success, failure or canceled', jobResult),
      202: json('Queued or running', resultPending),
      ...ended,
    },
  }),
  getPublicJobLogs: endpoint({
    method: 'get',
    path: '/api/public/jobs/{token}/logs',
    admits: ['public'],
    tag: 'Shared jobs',
    summary: 'Output of a shared job so far',
    query: logQuery,
    answers: {
      200: media('text/plain', 'stdout and stderr so far'),
      400: problem('tail_bytes out of range'),
      ...ended,
    },
  }),
}
