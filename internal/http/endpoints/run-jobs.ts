import { json, problem, queueFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { jobAccepted, jobFinished, jobPending } from '../schemas/jobs.ts'
import { jobQuery, waitFields } from '../schemas/start-query.ts'
import { z } from '../schemas/z.ts'

const refusals = {
  400: problem('Not a JSON object, or it does not fit the schema of the action'),
  403: problem('Missing scope; a customer key without the grant; `tag_not_allowed`'),
  404: problem('Unknown app or action'),
  409: problem('The Idempotency-Key was used with another body'),
  413: problem('Body over the limit'),
  ...queueFull,
}

export const runJobEndpoints = {
  runJob: endpoint({
    method: 'post',
    path: '/jobs/run/{app}/{action}',
    in: 'workspace',
    admits: ['jobs:run', 'customer_key'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Jobs',
    summary: 'Queue a job',
    query: jobQuery,
    body: z.unknown(),
    answers: { 201: json('Queued', jobAccepted), ...refusals },
  }),
  runJobAndWait: endpoint({
    method: 'post',
    path: '/jobs/run/{app}/{action}/wait',
    in: 'workspace',
    admits: ['jobs:run', 'customer_key'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Jobs',
    summary: 'Queue a job and wait for its end',
    query: jobQuery.extend(waitFields),
    body: z.unknown(),
    answers: {
      200: json('Ended', jobFinished),
      202: json('Still queued or running', jobPending),
      ...refusals,
    },
  }),
}
