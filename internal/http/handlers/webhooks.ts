import { holdsScope } from '#core/access/policy.ts'
import { captureHeaders } from '#core/webhook-headers.ts'
import type { EnqueueDeps } from '#service/queue/enqueue-job.ts'
import { enqueueJob } from '#service/queue/enqueue-job.ts'
import { webhookEndpoints } from '../endpoints/webhooks.ts'
import { handlers } from '../handlers.ts'
import { accepted, checkKeys, idempotencyOf } from '../run-request.ts'
import { toWebhookBody } from '../webhook-body.ts'

export const webhookRoutes = handlers(webhookEndpoints, (deps: EnqueueDeps) => ({
  runJobByWebhook: async (input) => {
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
      triggerJson: JSON.stringify({
        headers: captureHeaders(input.receivedHeaders()),
        encoding: body.encoding,
      }),
      createdBy: principal.identity,
      permissionedAs: principal.identity,
      holdsAppsWrite: holdsScope(principal, 'apps:write'),
      ...idempotencyOf(input, `webhook/${params.app}/${params.action}`),
    })
    return accepted(201, enqueued, { jobId: enqueued.jobId })
  },
}))
