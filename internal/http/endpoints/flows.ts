import { json, problem, queueFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { flow, flowFinished, flowPending, flowStarted } from '../schemas/flows.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { flowQuery, waitFields } from '../schemas/start-query.ts'
import { z } from '../schemas/z.ts'

const listQuery = pageQuery.extend({ app: z.string().max(200).optional() })

const refusals = {
  404: problem('Unknown app or flow'),
  409: problem('The Idempotency-Key was used with another body'),
  413: problem('Body over the limit'),
  ...queueFull,
}

const startRefusals = {
  400: problem('Bad key, or not a JSON object'),
  403: problem('Missing scope; `tag_not_allowed`'),
  ...refusals,
}

export const flowEndpoints = {
  listFlows: endpoint({
    method: 'get',
    path: '/flows',
    in: 'workspace',
    admits: ['flows:read'],
    tag: 'Flows',
    summary: 'Flows of the deployed apps, by app and key',
    query: listQuery,
    answers: { 200: json('A page', pageOf(flow)), 400: problem('Bad cursor') },
  }),
  getFlow: endpoint({
    method: 'get',
    path: '/flows/{app}/{flow}',
    in: 'workspace',
    admits: ['flows:read'],
    tag: 'Flows',
    summary: 'A flow as it is deployed now',
    answers: { 200: json('The flow', flow), 404: problem('Unknown app or flow') },
  }),
  startFlowRun: endpoint({
    method: 'post',
    path: '/flows/run/{app}/{flow}',
    in: 'workspace',
    admits: ['flows:run'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Flows',
    summary: 'Start a flow run; its result is fetched later',
    query: flowQuery,
    body: z.unknown(),
    answers: { 201: json('Started', flowStarted), ...startRefusals },
  }),
  startFlowRunAndWait: endpoint({
    method: 'post',
    path: '/flows/run/{app}/{flow}/wait',
    in: 'workspace',
    admits: ['flows:run'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Flows',
    summary: 'Start a flow run and wait for its end',
    query: flowQuery.extend(waitFields),
    body: z.unknown(),
    answers: {
      200: json('Over', flowFinished),
      202: json('Not over yet', flowPending),
      ...startRefusals,
    },
  }),
  startFlowRunByWebhook: endpoint({
    method: 'post',
    path: '/flows/webhook/{app}/{flow}',
    in: 'workspace',
    admits: ['webhooks:invoke'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Flows',
    summary:
      'Start a flow run from an outside system: any body, which as text becomes the start input',
    freeQuery: true,
    bodyKind: 'raw',
    answers: { 201: json('Started', flowStarted), 400: problem('Bad key'), ...refusals },
  }),
}
