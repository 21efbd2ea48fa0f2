/**
 * POST /api/w/{ws}/jobs/webhook/{app}/{action}
 */

import { captureHeaders } from '#core/webhook-headers.ts'
import { type EnqueueDeps, enqueueJob } from '#service/queue/enqueue-job.ts'
import { problem, type RequestFacts, type Route, route } from '../route.ts'
import { jobAccepted } from '../schemas/jobs.ts'
import { actionTarget, checkKeys, idempotencyOf, toAccepted } from '../schemas/run.ts'

export type WebhookBody = Readonly<{ text: string; encoding: 'utf8' | 'base64' }>

/**
 * A body is carried as text. Bytes that are no UTF-8 travel as base64, and `ctx.trigger.encoding` says so: a script that
 * verifies a signature needs every byte as it was sent, a byte order mark too.
 */
export const toWebhookBody = (bytes: Uint8Array): WebhookBody => {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(bytes), encoding: 'utf8' }
  } catch {
    return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' }
  }
}

/** What the enqueue path stores beside the input. */
const toTrigger = ({ encoding }: WebhookBody, headers: RequestFacts['receivedHeaders']): string =>
  JSON.stringify({ headers: captureHeaders(headers()), encoding })

export const webhookRoutes = (deps: EnqueueDeps): readonly Route[] => [
  route({
    method: 'post',
    path: '/api/w/{ws}/jobs/webhook/{app}/{action}',
    operationId: 'runJobByWebhook',
    scope: 'webhooks:invoke',
    rate: 'run',
    freeQuery: true,
    tag: 'Jobs',
    summary:
      'Queue a job from an outside system: any body, delivered as text in ctx.input and ctx.trigger.raw',
    params: actionTarget,
    bodyKind: 'raw',
    responses: {
      201: { description: 'Queued', schema: jobAccepted },
      400: problem('Bad key, or the text does not fit the schema of the action'),
      404: problem('Unknown app or action'),
      409: problem('The Idempotency-Key was used with another body'),
      413: problem('Body over the limit'),
      429: problem('Too many requests, or too many queued jobs (`queue_full`)'),
    },
    handler: async (input) => {
      const { ws, params, principal } = input
      checkKeys(params)
      const body = toWebhookBody(input.bodyBytes)
      const enqueued = await enqueueJob(deps, {
        ws,
        app: params.app,
        action: params.action,
        inputJson: JSON.stringify(body.text),
        input: body.text,
        triggerKind: 'webhook',
        triggerJson: toTrigger(body, input.receivedHeaders),
        createdBy: principal.identity,
        permissionedAs: principal.identity,
        ...idempotencyOf(input, `webhook/${params.app}/${params.action}`),
      })
      return toAccepted(201, enqueued, { job_id: enqueued.jobId })
    },
  }),
]
