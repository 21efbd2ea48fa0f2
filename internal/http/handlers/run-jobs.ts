import { holdsScope, requireQueueChoice } from '#core/access/policy.ts'
import { customerOf } from '#core/access/principal.ts'
import { invalid } from '#core/error.ts'
import { JsonText } from '#core/json/text.ts'
import { isJsonObject } from '#core/json/value.ts'
import type { Deps } from '#service/deps.ts'
import { checkRunTag } from '#service/queue/check-tag.ts'
import { type EnqueueDeps, type Enqueued, enqueueJob } from '#service/queue/enqueue-job.ts'
import { waitForJob } from '#service/queue/wait-for-job.ts'
import { waitWithBody } from '../bodies/held-bodies.ts'
import type { InputOf } from '../endpoint.ts'
import { runJobEndpoints } from '../endpoints/run-jobs.ts'
import { handlers } from '../handlers.ts'
import { accepted, checkKeys, idempotencyOf, traceOf } from '../run-request.ts'

type RunDeps = EnqueueDeps & Pick<Deps, 'openWork'>
type RunInput = InputOf<typeof runJobEndpoints.runJob>

const enqueue = async (deps: EnqueueDeps, input: RunInput): Promise<Enqueued> => {
  const { params, query, body, principal } = input
  checkKeys(params)
  requireQueueChoice(principal, query)
  if (!isJsonObject(body)) {
    throw invalid('The body must be a JSON object; it becomes ctx.input.', {
      code: 'not_an_object',
    })
  }
  const { tag } = query
  const customerId = customerOf(principal)
  const holdsAppsWrite = holdsScope(principal, 'apps:write')
  if (tag !== undefined) await checkRunTag(deps, { ...params, ws: input.ws, tag, holdsAppsWrite })
  return enqueueJob(deps, {
    ws: input.ws,
    app: params.app,
    action: params.action,
    inputJson: input.bodyText,
    input: body,
    triggerKind: 'api',
    createdBy: principal.identity,
    permissionedAs: principal.identity,
    holdsAppsWrite,
    ...(customerId === null ? {} : { customerId }),
    ...(tag === undefined ? {} : { tag }),
    ...(query.priority === undefined ? {} : { priority: query.priority }),
    ...(query.scheduled_for === undefined ? {} : { scheduledFor: Date.parse(query.scheduled_for) }),
    ...traceOf(input),
    ...idempotencyOf(input, `run/${params.app}/${params.action}`),
  })
}

export const runJobRoutes = handlers(runJobEndpoints, (deps: RunDeps) => ({
  runJob: async (input) => {
    const enqueued = await enqueue(deps, input)
    return accepted(201, enqueued, { jobId: enqueued.jobId })
  },
  runJobAndWait: async (input) => {
    const enqueued = await enqueue(deps, input)
    const { jobId } = enqueued
    const { ws, signal, bodyBytes, query, principal } = input
    const held = { ws, customerId: customerOf(principal), bytes: bodyBytes.length }
    const body = { ...held, timeoutMs: query.timeout_ms }
    const ended = await waitWithBody(body, (timeoutMs) =>
      waitForJob(deps, { ws, id: jobId, timeoutMs, signal }),
    )
    if (ended === null) return accepted(202, enqueued, { jobId, status: 'pending' })
    await input.admitLate()
    const result = new JsonText(ended.resultJson ?? 'null')
    return accepted(200, enqueued, { jobId, status: ended.status, result })
  },
}))
