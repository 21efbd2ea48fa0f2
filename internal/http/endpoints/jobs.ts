import { json, media, problem, textOrJson } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import {
  cancelAnswer,
  jobAttempt,
  jobDetail,
  jobResult,
  jobStep,
  resultPending,
} from '../schemas/jobs.ts'
import { logItems, ownLogQuery } from '../schemas/log-query.ts'
import { pageOf, pageQuery, shortListQuery } from '../schemas/page.ts'
import { cancelBody } from '../schemas/shared-bodies.ts'

export const jobEndpoints = {
  getJob: endpoint({
    method: 'get',
    path: '/jobs/{id}',
    in: 'workspace',
    admits: ['jobs:read', 'customer_key'],
    tag: 'Jobs',
    summary: 'A job',
    answers: { 200: json('The job', jobDetail), 404: problem('Unknown id') },
  }),
  getJobResult: endpoint({
    method: 'get',
    path: '/jobs/{id}/result',
    in: 'workspace',
    admits: ['jobs:read', 'customer_key'],
    tag: 'Jobs',
    summary: 'Result of a job',
    answers: {
      200: json('Ended: success, failure or canceled', jobResult),
      202: json('Queued or running', resultPending),
      404: problem('Unknown id'),
    },
  }),
  listJobAttempts: endpoint({
    method: 'get',
    path: '/jobs/{id}/attempts',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary: 'Attempts of a job, oldest first: who ran each, when, and how it ended',
    query: shortListQuery,
    answers: { 200: json('All attempts', pageOf(jobAttempt)), 404: problem('Unknown id') },
  }),
  listJobSteps: endpoint({
    method: 'get',
    path: '/jobs/{id}/steps',
    in: 'workspace',
    admits: ['jobs:read', 'customer_key'],
    tag: 'Jobs',
    summary: 'Durable steps of a job, in their order',
    query: pageQuery,
    answers: {
      200: json('A page', pageOf(jobStep)),
      400: problem('Bad cursor'),
      404: problem('Unknown id'),
    },
  }),
  getJobLogs: endpoint({
    method: 'get',
    path: '/jobs/{id}/logs',
    in: 'workspace',
    admits: ['jobs:read', 'customer_key'],
    tag: 'Jobs',
    summary:
      'Output of a job: as text; with format=json in pieces with time and stream; as text/event-stream it follows until the job ends',
    query: ownLogQuery,
    answers: {
      200: textOrJson('What it wrote so far', logItems),
      400: problem('tail_bytes out of range, or another format'),
      404: problem('Unknown id'),
    },
  }),
  streamJobEvents: endpoint({
    method: 'get',
    path: '/jobs/{id}/events',
    in: 'workspace',
    admits: ['jobs:read', 'customer_key'],
    tag: 'Jobs',
    summary: 'Each status and progress of a job until its end, as server-sent events',
    answers: {
      200: media('text/event-stream', 'Events `status` and `progress`'),
      404: problem('Unknown id'),
    },
  }),
  cancelJob: endpoint({
    method: 'post',
    path: '/jobs/{id}/cancel',
    in: 'workspace',
    admits: ['jobs:run'],
    tag: 'Jobs',
    summary:
      'Cancel a job; the script of a running one has `cancel_grace_s` of its action to clean up',
    body: cancelBody,
    bodyKind: 'optional_json',
    answers: {
      200: json('What the cancel did', cancelAnswer),
      403: problem('Neither the creator nor an admin'),
      404: problem('Unknown id'),
    },
  }),
}
