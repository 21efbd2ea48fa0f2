/**
 * GET  /api/w/{ws}/flows
 * GET  /api/w/{ws}/flows/{app}/{flow}
 * POST /api/w/{ws}/flows/run/{app}/{flow}
 * POST /api/w/{ws}/flows/webhook/{app}/{flow}
 */
import { invalid } from '#core/error.ts'
import { isJsonObject } from '#core/json.ts'
import { captureHeaders } from '#core/webhook-headers.ts'
import { findFlow, listFlows } from '#service/flows/find-flow.ts'
import { type StartDeps, type StartRequest, startRun } from '#service/flows/start-run.ts'
import { problem, type Reply, type Route, reply, route } from '../route.ts'
import { flow, flowStarted, flowTarget, toWireFlow } from '../schemas/flows.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { checkKeys, idempotencyOf, toAccepted } from '../schemas/run.ts'
import { z } from '../schemas/z.ts'
import { toWebhookBody } from './webhooks.ts'

const refusals = {
  404: problem('Unknown app or flow'),
  409: problem('The Idempotency-Key was used with another body'),
  413: problem('Body over the limit'),
  429: problem('Too many requests, or too many queued jobs (`queue_full`)'),
}

const start = async (deps: StartDeps, request: StartRequest): Promise<Reply> => {
  const started = await startRun(deps, request)
  if (started === null) throw new Error('A start without a condition was refused by one.')
  return toAccepted(201, started, { flow_run_id: started.runId })
}

export const flowRoutes = (deps: StartDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/flows',
    operationId: 'listFlows',
    scope: 'flows:read',
    tag: 'Flows',
    summary: 'Flows of the deployed apps, by app and key',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(flow) }, 400: problem('Bad cursor') },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const rows = await listFlows(deps, ws, { after: decodeCursor(cursor), limit: limit + 1 })
      const keyOf = ({ app, definition }: (typeof rows)[number]): string =>
        `${app}/${definition.key}`
      return reply(200, toPage(rows, limit, { toItem: toWireFlow, keyOf }))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/flows/{app}/{flow}',
    operationId: 'getFlow',
    scope: 'flows:read',
    tag: 'Flows',
    summary: 'A flow as it is deployed now',
    params: flowTarget,
    responses: {
      200: { description: 'It', schema: flow },
      404: problem('Unknown app or flow'),
    },
    handler: async ({ params }) => reply(200, toWireFlow(await findFlow(deps, params))),
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/flows/run/{app}/{flow}',
    operationId: 'startFlowRun',
    scope: 'flows:run',
    rate: 'run',
    tag: 'Flows',
    summary: 'Start a flow run; its result is fetched later',
    params: flowTarget,
    body: z.unknown(),
    responses: {
      201: { description: 'Started', schema: flowStarted },
      400: problem('Bad key, or not a JSON object'),
      ...refusals,
    },
    handler: async (input) => {
      const { params, body, principal } = input
      checkKeys({ app: params.app, action: params.flow })
      if (!isJsonObject(body)) {
        throw invalid('The body must be a JSON object; it becomes the start input.', {
          code: 'not_an_object',
        })
      }
      return start(deps, {
        ...params,
        input: body,
        triggerKind: 'api',
        createdBy: principal.identity,
        permissionedAs: principal.identity,
        ...idempotencyOf(input, `flow/${params.app}/${params.flow}`),
      })
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/flows/webhook/{app}/{flow}',
    operationId: 'startFlowRunByWebhook',
    scope: 'webhooks:invoke',
    freeQuery: true,
    rate: 'run',
    tag: 'Flows',
    summary:
      'Start a flow run from an outside system: any body, which as text becomes the start input',
    params: flowTarget,
    bodyKind: 'raw',
    responses: {
      201: { description: 'Started', schema: flowStarted },
      400: problem('Bad key'),
      ...refusals,
    },
    handler: async (input) => {
      const { params, principal } = input
      checkKeys({ app: params.app, action: params.flow })
      const { text, encoding } = toWebhookBody(input.bodyBytes)
      return start(deps, {
        ...params,
        input: text,
        triggerKind: 'webhook',
        trigger: { headers: captureHeaders(input.receivedHeaders()), encoding },
        createdBy: principal.identity,
        permissionedAs: principal.identity,
        ...idempotencyOf(input, `flow-webhook/${params.app}/${params.flow}`),
      })
    },
  }),
]
