/**
 * Starts the target of a webhook. The job or flow run, the value that identifies repetitions, and what the caller adds are one
 * batch, so a crash leaves all of them or none.
 */
import { createHash } from 'node:crypto'
import { readTraceparent } from '#core/trace/traceparent.ts'
import type { WebhookBody } from '#core/webhook/body.ts'
import { targetOf } from '#core/webhook/definition.ts'
import type { Statement } from '#store/database.ts'
import { credentialOfWebhook } from '#store/idempotency-keys.ts'
import { hasJob } from '#store/jobs/guards.ts'
import type { WebhookDelivery } from '#store/webhooks/deliveries.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { startRunUnconditionally } from '../flows/start-run.ts'
import { type EnqueueDeps, enqueueJob } from '../queue/enqueue-job.ts'
import { ANY_BODY, type Idempotency } from '../queue/idempotency.ts'
import { deliveryInput } from './delivery-input.ts'
import type { Webhook } from './find-webhook.ts'

export type StartTargetDeps = EnqueueDeps & FlowDeps

/** The part of a delivery that a script gets. */
export type Payload = WebhookBody & Readonly<{ headers: Readonly<Record<string, string>> }>

export type StartTarget = Readonly<{
  webhook: Webhook
  payload: Payload
  /** The value that identifies repetitions, or null. */
  dedupeValue: string | null
  /** Whether it may join a waiting job if the target is an action that debounces. @default true */
  mayDebounce?: boolean
  /** The key of a request that repeats a delivery. */
  idempotency?: Idempotency
  /** Statements that are written with the start. @param guard a condition: the job or run was inserted */
  alongside: (started: StartedTarget, guard: Statement) => readonly Statement[]
}>

export type StartedTarget = Readonly<{ jobId: string } | { flowRunId: string }>

export type TargetStart = Readonly<{
  started: StartedTarget
  /** Whether an earlier delivery with the same value started it. */
  replayed: boolean
}>

/** @throws {AppError} those of enqueueJob and startRun */
export const startTarget = async (
  deps: StartTargetDeps,
  { webhook, payload, dedupeValue, mayDebounce = true, idempotency, alongside }: StartTarget,
): Promise<TargetStart> => {
  const { ws, app, key, definition, deployedBy } = webhook
  const { encoding, headers } = payload
  const credential = credentialOfWebhook(app, key)
  const traceparent = readTraceparent(headers.Traceparent)
  const { input, inputJson } = await deliveryInput(definition, payload)
  const shared = {
    ws,
    app,
    input,
    ...(traceparent === null ? {} : { traceparent }),
    triggerKind: 'webhook',
    createdBy: credential,
    permissionedAs: deployedBy,
    ...(dedupeValue === null
      ? {}
      : {
          idempotency: {
            credential,
            route: 'hook',
            key: createHash('sha256').update(dedupeValue).digest('hex'),
            // a delivery with another body and the same value is the same delivery
            bodyHash: ANY_BODY,
          },
        }),
    ...(idempotency === undefined ? {} : { idempotency }),
  } as const
  const target = targetOf(definition)
  const trigger = { headers, encoding, ...(definition.input === 'json' && { isJson: true }) }
  if (target.kind === 'flow') {
    const flowRunId = deps.newId()
    const run = await startRunUnconditionally(deps, {
      ...shared,
      flow: target.key,
      trigger,
      runId: flowRunId,
      alongside: (guard) => alongside({ flowRunId }, guard),
    })
    return { started: { flowRunId: run.runId }, replayed: run.replayed }
  }
  const { jobId, replayed } = await enqueueJob(deps, {
    ...shared,
    action: target.key,
    mayDebounce,
    inputJson,
    triggerJson: JSON.stringify(trigger),
    alongside: (id) => alongside({ jobId: id }, hasJob(ws, id)),
  })
  return { started: { jobId }, replayed }
}

/** Returns the ids as columns of the record of a delivery. */
export const idsOf = (
  started: StartedTarget | null,
): Pick<WebhookDelivery, 'jobId' | 'flowRunId'> => ({
  jobId: started !== null && 'jobId' in started ? started.jobId : null,
  flowRunId: started !== null && 'flowRunId' in started ? started.flowRunId : null,
})
