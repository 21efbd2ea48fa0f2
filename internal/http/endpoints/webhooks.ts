import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { jobAccepted } from '../schemas/jobs.ts'

export const webhookEndpoints = {
  runJobByWebhook: endpoint({
    method: 'post',
    path: '/jobs/webhook/{app}/{action}',
    in: 'workspace',
    admits: ['webhooks:invoke'],
    rate: 'run',
    tag: 'Jobs',
    summary:
      'Queue a job from an outside system: any body, delivered as text in ctx.input and ctx.trigger.raw',
    freeQuery: true,
    bodyKind: 'raw',
    answers: {
      201: json('Queued', jobAccepted),
      400: problem('Bad key, or the text does not fit the schema of the action'),
      404: problem('Unknown app or action'),
      409: problem('The Idempotency-Key was used with another body'),
      413: problem('Body over the limit'),
      429: problem('Too many requests, or too many queued jobs (`queue_full`)'),
    },
  }),
}
