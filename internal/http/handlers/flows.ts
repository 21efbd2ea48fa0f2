import { holdsScope } from '#core/access/policy.ts'
import { invalid } from '#core/error.ts'
import { isJsonObject } from '#core/json/value.ts'
import { toWebhookBody } from '#core/webhook/body.ts'
import { captureHeaders } from '#core/webhook/headers.ts'
import type { Deps } from '#service/deps.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import { findFlow, listFlows } from '#service/flows/find-flow.ts'
import { type Started, startRunUnconditionally } from '#service/flows/start-run.ts'
import { waitForRun } from '#service/flows/wait-for-run.ts'
import { checkFlowTag } from '#service/queue/check-tag.ts'
import { ok } from '../answer.ts'
import { waitWithBody } from '../bodies/held-bodies.ts'
import type { InputOf } from '../endpoint.ts'
import { flowEndpoints } from '../endpoints/flows.ts'
import { handlers } from '../handlers.ts'
import { accepted, checkKeys, idempotencyOf, traceOf } from '../run-request.ts'
import { pageAfter, paginate } from '../schemas/page.ts'
import { toFlow } from '../views/flows.ts'

type StartInput = InputOf<typeof flowEndpoints.startFlowRun>

const startByApi = async (deps: FlowDeps, input: StartInput): Promise<NonNullable<Started>> => {
  const { ws, params, query, body, principal } = input
  const { tag, priority, scheduled_for: scheduledFor } = query
  const holdsAppsWrite = holdsScope(principal, 'apps:write')
  checkKeys({ app: params.app, action: params.flow })
  if (!isJsonObject(body)) {
    throw invalid('The body must be a JSON object; it becomes the start input.', {
      code: 'not_an_object',
    })
  }
  if (tag !== undefined) await checkFlowTag(deps, { ws, tag, holdsAppsWrite })
  return startRunUnconditionally(deps, {
    ws,
    ...params,
    input: body,
    triggerKind: 'api',
    createdBy: principal.identity,
    permissionedAs: principal.identity,
    holdsAppsWrite,
    ...(tag === undefined ? {} : { tag }),
    ...(priority === undefined ? {} : { priority }),
    ...(scheduledFor === undefined ? {} : { due: { at: Date.parse(scheduledFor) } }),
    ...traceOf(input),
    ...idempotencyOf(input, `flow/${params.app}/${params.flow}`),
  })
}

export const flowRoutes = handlers(flowEndpoints, (deps: FlowDeps & Pick<Deps, 'openWork'>) => ({
  listFlows: async ({ ws, query }) => {
    const rows = await listFlows(deps, ws, { app: query.app ?? null, ...pageAfter(query) })
    return ok(paginate(rows.map(toFlow), query.limit, ({ app, key }) => `${app}/${key}`))
  },
  getFlow: async ({ ws, params }) => ok(toFlow(await findFlow(deps, { ws, ...params }))),
  startFlowRun: async (input) => {
    const started = await startByApi(deps, input)
    return accepted(201, started, { flowRunId: started.runId })
  },
  startFlowRunAndWait: async (input) => {
    const started = await startByApi(deps, input)
    const flowRunId = started.runId
    const { ws, signal, bodyBytes, query } = input
    const body = { ws, customerId: null, bytes: bodyBytes.length, timeoutMs: query.timeout_ms }
    const ended = await waitWithBody(body, (timeoutMs) =>
      waitForRun(deps, { ws, id: flowRunId, timeoutMs, signal }),
    )
    if (ended === null) return accepted(202, started, { flowRunId, status: 'pending' })
    await input.admitLate()
    return accepted(200, started, { flowRunId, ...ended })
  },
  startFlowRunByWebhook: async (input) => {
    const { ws, params, principal } = input
    checkKeys({ app: params.app, action: params.flow })
    const { text, encoding } = toWebhookBody(input.bodyBytes)
    const started = await startRunUnconditionally(deps, {
      ws,
      ...params,
      input: text,
      triggerKind: 'webhook',
      trigger: { headers: captureHeaders(input.receivedHeaders()), encoding },
      createdBy: principal.identity,
      permissionedAs: principal.identity,
      holdsAppsWrite: holdsScope(principal, 'apps:write'),
      ...traceOf(input),
      ...idempotencyOf(input, `flow-webhook/${params.app}/${params.flow}`),
    })
    return accepted(201, started, { flowRunId: started.runId })
  },
}))
