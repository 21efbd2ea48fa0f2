/**
 * Starts again what an accepted delivery started, with the same body and headers, as if the sender had sent it again. The body
 * is read from the job or flow run, so it is gone when that is deleted.
 */
import { z } from 'zod'
import type { Actor } from '#core/access/actor.ts'
import { AppError, conflict, notFound } from '#core/error.ts'
import { insertAuditEntry } from '#store/audit-log.ts'
import { findFlowRun } from '#store/flows/runs.ts'
import { findJobInput } from '#store/jobs/read.ts'
import { findDelivery, type StoredDelivery } from '#store/webhooks/deliveries.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { flowCipher, runPlace } from '../flows/cipher.ts'
import type { Idempotency } from '../queue/idempotency.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { Webhook } from './find-webhook.ts'
import {
  type Payload,
  type StartTargetDeps,
  startTarget,
  type TargetStart,
} from './start-target.ts'

export type ReplayDeps = StartTargetDeps & Readonly<{ deliveries: DeliveryLog }>

const trigger = z.object({
  headers: z.record(z.string(), z.string()),
  encoding: z.enum(['utf8', 'base64']),
  isJson: z.boolean().default(false),
})

/** @returns null if it was not a webhook that started this */
const toPayload = (inputJson: string, triggerJson: string): Payload | null => {
  const { data } = trigger.safeParse(JSON.parse(triggerJson))
  if (data === undefined) return null
  const { isJson, ...rest } = data
  return { text: isJson ? inputJson : z.string().parse(JSON.parse(inputJson)), ...rest }
}

const payloadOfJob = async (deps: ReplayDeps, ws: string, id: string): Promise<Payload | null> => {
  const job = await findJobInput(deps.db, ws, id)
  return job === null ? null : toPayload(job.inputJson, job.triggerJson ?? 'null')
}

const payloadOfRun = async (deps: ReplayDeps, ws: string, id: string): Promise<Payload | null> => {
  const [run, workspace] = await Promise.all([
    findFlowRun(deps.db, ws, id),
    findWorkspace(deps.db, ws),
  ])
  if (run === null || workspace === null || run.trigger === null) return null
  const cipher = flowCipher(deps.keyring, { ws, wrappedKey: workspace.wrappedKey })
  return toPayload(
    cipher.openJson(runPlace(id, 'input'), run.input),
    cipher.openJson(runPlace(id, 'trigger'), run.trigger),
  )
}

/** @throws {AppError} conflict: it started nothing; gone: what it started was deleted, or has the input of another request */
const payloadOf = async (
  deps: ReplayDeps,
  ws: string,
  { jobId, flowRunId }: StoredDelivery,
): Promise<Payload> => {
  if (jobId === null && flowRunId === null) {
    throw conflict(
      'This delivery started nothing, and the body of a refused delivery is not kept. Let its sender send it again.',
      { code: 'nothing_to_replay' },
    )
  }
  const payload =
    jobId === null
      ? await payloadOfRun(deps, ws, flowRunId ?? '')
      : await payloadOfJob(deps, ws, jobId)
  if (payload !== null) return payload
  throw new AppError(
    'gone',
    'The body of this delivery is not kept any more: its job or run was deleted, or a later request replaced the input of the job.',
    { code: 'delivery_gone' },
  )
}

export type ReplayRequest = Readonly<{
  webhook: Webhook
  id: string
  actor: Actor
  idempotency?: Idempotency
}>

/** @throws {AppError} not_found; conflict `nothing_to_replay`; gone; also those of startTarget */
export const replayDelivery = async (
  deps: ReplayDeps,
  { webhook, id, actor, idempotency }: ReplayRequest,
): Promise<TargetStart> => {
  const { ws, app, key } = webhook
  await deps.deliveries.flush()
  const delivery = await findDelivery(deps.db, { ws, app, webhook: key }, id)
  if (delivery === null) throw notFound('Delivery', { code: 'delivery_not_found' })
  const audit = { id: deps.newId(), ws, actor, action: 'webhook.replayed' }
  return startTarget(deps, {
    webhook,
    payload: await payloadOf(deps, ws, delivery),
    dedupeValue: null,
    mayDebounce: false,
    ...(idempotency === undefined ? {} : { idempotency }),
    // a repeated request starts nothing
    alongside: (_, guard) => [insertAuditEntry({ ...audit, target: `${app}/${key} ${id}` }, guard)],
  })
}
