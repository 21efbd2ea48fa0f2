import { holdsScope } from '#core/access/policy.ts'
import { toWebhookBody } from '#core/webhook/body.ts'
import { targetOf } from '#core/webhook/definition.ts'
import { captureHeaders } from '#core/webhook/headers.ts'
import { enqueueJob } from '#service/queue/enqueue-job.ts'
import { findWebhook } from '#service/webhooks/find-webhook.ts'
import {
  type DescribedWebhook,
  listDeliveries,
  listWebhooks,
  readWebhook,
} from '#service/webhooks/list-webhooks.ts'
import { type ReplayDeps, replayDelivery } from '#service/webhooks/replay-delivery.ts'
import { missingScope } from '../admission/admit.ts'
import { ok } from '../answer.ts'
import { webhookEndpoints } from '../endpoints/webhooks.ts'
import { handlers } from '../handlers.ts'
import { toRowId } from '../row-id.ts'
import { accepted, checkKeys, idempotencyOf, traceOf } from '../run-request.ts'
import { isOlder, pageAfter, pageOfShortList, paginate } from '../schemas/page.ts'

type Place = Readonly<{ ws: string; baseUrl: () => string }>

const withUrl = (webhook: DescribedWebhook, { ws, baseUrl }: Place) => ({
  ...webhook,
  url: `${baseUrl()}/hook/${ws}/${webhook.app}/${webhook.key}`,
})

export const webhookRoutes = handlers(webhookEndpoints, (deps: ReplayDeps) => ({
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
      ...traceOf(input),
      ...idempotencyOf(input, `webhook/${params.app}/${params.action}`),
    })
    return accepted(201, enqueued, { jobId: enqueued.jobId })
  },
  listWebhooks: async (input) => {
    const rows = await listWebhooks(deps, input.ws, pageAfter(input.query))
    const shown = rows.map((row) => withUrl(row, input))
    return ok(paginate(shown, input.query.limit, ({ app, key }) => `${app}/${key}`))
  },
  getWebhook: async (input) => {
    const { ws, params } = input
    return ok(withUrl(await readWebhook(deps, { ws, ...params }), input))
  },
  listWebhookDeliveries: async ({ ws, params, query }) =>
    ok(
      pageOfShortList(
        await listDeliveries(deps, { ws, ...params }),
        query,
        ({ id }) => id,
        isOlder,
      ),
    ),
  replayWebhookDelivery: async (input) => {
    const { ws, params, principal, actor } = input
    const { app, key } = params
    const webhook = await findWebhook(deps, { ws, app, key })
    const isFlow = targetOf(webhook.definition).kind === 'flow'
    if (isFlow && !holdsScope(principal, 'flows:run')) throw missingScope(principal, 'flows:run')
    const id = toRowId(params.id, 'Delivery', { code: 'delivery_not_found' })
    const idempotency = idempotencyOf(input, `hook-replay/${app}/${key}/${id}`)
    const replayed = await replayDelivery(deps, { webhook, id, actor, ...idempotency })
    return accepted(201, replayed, replayed.started)
  },
}))
