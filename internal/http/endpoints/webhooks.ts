import { json, problem, queueFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { jobAccepted } from '../schemas/jobs.ts'
import { pageOf, pageQuery, shortListQuery } from '../schemas/page.ts'
import { deliveryAccepted, webhook, webhookDelivery, webhookDetail } from '../schemas/webhooks.ts'

const unknownWebhook = { 404: problem('Unknown app or webhook') }

export const webhookEndpoints = {
  runJobByWebhook: endpoint({
    method: 'post',
    path: '/jobs/webhook/{app}/{action}',
    in: 'workspace',
    admits: ['webhooks:invoke'],
    rate: 'run',
    isIdempotentByKey: true,
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
      ...queueFull,
    },
  }),
  listWebhooks: endpoint({
    method: 'get',
    path: '/webhooks',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Webhooks',
    summary: 'Webhooks of the deployed apps, by app and key',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(webhook)), 400: problem('Bad cursor') },
  }),
  getWebhook: endpoint({
    method: 'get',
    path: '/webhooks/{app}/{key}',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Webhooks',
    summary: 'A webhook, and which of its variables are set',
    answers: { 200: json('The webhook', webhookDetail), ...unknownWebhook },
  }),
  listWebhookDeliveries: endpoint({
    method: 'get',
    path: '/webhooks/{app}/{key}/deliveries',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Webhooks',
    summary: 'The last 50 deliveries of a webhook, newest first',
    query: shortListQuery,
    answers: { 200: json('All of them', pageOf(webhookDelivery)), ...unknownWebhook },
  }),
  replayWebhookDelivery: endpoint({
    method: 'post',
    path: '/webhooks/{app}/{key}/deliveries/{id}/replay',
    in: 'workspace',
    admits: ['jobs:run'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Webhooks',
    summary: 'Start again what an accepted delivery has started; of a flow it needs flows:run too',
    answers: {
      201: json('Started', deliveryAccepted),
      404: problem('Unknown app, webhook or delivery'),
      409: problem(
        'The delivery started nothing (`nothing_to_replay`), or the Idempotency-Key was used with another body',
      ),
      410: problem(
        'What it started was deleted, or has the input of another request (`delivery_gone`)',
      ),
      ...queueFull,
    },
  }),
}
