import { JsonText } from '#core/json/text.ts'
import { secretKeysOf } from '#core/webhook/schemes.ts'
import type { Deps } from '#service/deps.ts'
import { waitForRun } from '#service/flows/wait-for-run.ts'
import { waitForJob } from '#service/queue/wait-for-job.ts'
import type { DeliveryLog } from '#service/webhooks/delivery-log.ts'
import { findWebhook, type Webhook } from '#service/webhooks/find-webhook.ts'
import { BadSignature, receiveDelivery } from '#service/webhooks/receive-delivery.ts'
import { idsOf, type StartedTarget, type StartTargetDeps } from '#service/webhooks/start-target.ts'
import type { WebhookDelivery } from '#store/webhooks/deliveries.ts'
import { answer, ok } from '../answer.ts'
import { waitWithBody } from '../bodies/held-bodies.ts'
import { isLate } from '../bodies/request-body.ts'
import type { InputOf } from '../endpoint.ts'
import { hookEndpoints } from '../endpoints/hooks.ts'
import { toWireError } from '../error.ts'
import { handlers } from '../handlers.ts'
import { accepted } from '../run-request.ts'

export type HookDeps = StartTargetDeps &
  Pick<Deps, 'now' | 'openWork'> &
  Readonly<{ deliveries: DeliveryLog }>

type HookInput = InputOf<typeof hookEndpoints.receiveDelivery>
type Answered = Pick<WebhookDelivery, 'status' | 'reason'> &
  Readonly<{ started?: StartedTarget; bytes?: number }>

const reasonOf = (error: unknown): string =>
  error instanceof BadSignature ? error.reason : toWireError(error).code

/** @returns the result, `failed`, or null if the job does not end in time */
const waitForResult = async (
  deps: HookDeps,
  { ws, signal }: HookInput,
  { started, timeoutMs }: Readonly<{ started: StartedTarget; timeoutMs: number }>,
): Promise<Readonly<{ result: JsonText | null }> | 'failed' | null> => {
  const wait = { ws, signal, timeoutMs }
  if ('flowRunId' in started) {
    const run = await waitForRun(deps, { ...wait, id: started.flowRunId })
    if (run === null) return null
    return run.status === 'completed' ? { result: run.result } : 'failed'
  }
  const job = await waitForJob(deps, { ...wait, id: started.jobId })
  if (job === null) return null
  if (job.status !== 'success') return 'failed'
  return { result: new JsonText(job.resultJson ?? 'null') }
}

const deliver = async (
  deps: HookDeps,
  input: HookInput,
  {
    webhook: found,
    id,
    record,
  }: Readonly<{ webhook: Webhook; id: string; record: (answered: Answered) => void }>,
) => {
  const { ws, app, key } = found
  input.takeRate('hook', `${ws}/${app}/${key}`)
  const startedAt = performance.now()
  const body = await input.readBody()
  const webhook = isLate(startedAt) ? await findWebhook(deps, { ws, app, key }) : found
  const query: Readonly<Record<string, unknown>> = input.query
  const received = await receiveDelivery(deps, webhook, {
    id,
    body,
    header: input.header,
    query: (name) => (typeof query[name] === 'string' ? query[name] : undefined),
    receivedAt: deps.now(),
    receivedHeaders: input.receivedHeaders(),
  })
  if ('challenge' in received) {
    record({ status: 200, reason: 'challenge', bytes: body.length })
    return ok({ challenge: received.challenge })
  }
  const { started, replayed } = received
  if (replayed) record({ status: 202, reason: 'duplicate', started, bytes: body.length })
  const { respond } = webhook.definition
  if (replayed || respond === undefined) return accepted(202, received, started)
  const held = { ws, customerId: null, bytes: body.length, timeoutMs: respond.waitS * 1_000 }
  const ended = await waitWithBody(held, (timeoutMs) =>
    waitForResult(deps, input, { started, timeoutMs }),
  )
  if (ended === null) return accepted(202, received, started)
  if (ended === 'failed') {
    record({ status: 502, reason: 'job_failed', started, bytes: body.length })
    return answer(502, {
      error: 'The job of this webhook failed.',
      code: 'job_failed',
      requestId: input.requestId,
      ...started,
    })
  }
  record({ status: 200, reason: null, started, bytes: body.length })
  return ok(ended.result)
}

export const hookRoutes = handlers(hookEndpoints, (deps: HookDeps) => ({
  receiveDelivery: async (input) => {
    const { ws, params } = input
    const webhook = await findWebhook(deps, { ws, app: params.app, key: params.key })
    const id = deps.newId()
    const variables = secretKeysOf(webhook.definition.verify)
    const at = { ws, app: params.app, webhook: params.key, id, variables }
    const record = ({ started, bytes = 0, ...answered }: Answered): void =>
      deps.deliveries.add({ ...at, bytes, ...idsOf(started ?? null), ...answered })
    try {
      return await deliver(deps, input, { webhook, id, record })
    } catch (error) {
      record({ status: toWireError(error).status, reason: reasonOf(error) })
      throw error
    }
  },
}))
