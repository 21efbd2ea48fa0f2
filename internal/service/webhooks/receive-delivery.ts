/** Receives a delivery. Its signature is verified before anything else is read [webhooks 3, 4]. */
import { AppError } from '#core/error.ts'
import { toWebhookBody } from '#core/webhook/body.ts'
import { captureHeaders } from '#core/webhook/headers.ts'
import type { Delivery, Refusal } from '#core/webhook/scheme.ts'
import { schemeOf } from '#core/webhook/schemes.ts'
import { verifyDelivery } from '#core/webhook/verify.ts'
import type { Statement } from '#store/database.ts'
import { insertDelivery, pruneDeliveries } from '#store/webhooks/deliveries.ts'
import { dedupeValue } from './dedupe-value.ts'
import { unknownWebhook, type Webhook } from './find-webhook.ts'
import {
  idsOf,
  type StartedTarget,
  type StartTargetDeps,
  startTarget,
  type TargetStart,
} from './start-target.ts'

export type ReceivedDelivery = Delivery &
  Readonly<{
    /** UUIDv7 of its record. */
    id: string
    /** All headers as received: names in any case, repeated ones separate. */
    receivedHeaders: readonly (readonly [name: string, value: string])[]
  }>

export type Received = Readonly<{ challenge: string }> | TargetStart

/** The response does not contain the reason; only the record of the webhook does. */
export class BadSignature extends AppError {
  readonly reason: Refusal
  constructor(reason: Refusal) {
    super('unauthenticated', 'The signature of the request does not fit this webhook.', {
      code: 'bad_signature',
    })
    this.reason = reason
  }
}

const ACCEPTED = 202

type Accepted = Pick<ReceivedDelivery, 'id' | 'body'> & Readonly<{ started: StartedTarget }>

const recordAccepted = (
  { ws, app, key }: Webhook,
  { id, body, started }: Accepted,
  guard: Statement,
): readonly Statement[] => {
  const at = { ws, app, webhook: key }
  const answer = { status: ACCEPTED, reason: null, bytes: body.length }
  return [insertDelivery({ ...at, id, ...answer, ...idsOf(started) }, guard), pruneDeliveries(at)]
}

/**
 * @throws {AppError} unauthenticated `bad_signature`; not_found: the app was changed meanwhile; invalid `input_schema`,
 * `malformed_json`; rate_limited `queue_full`; unavailable
 */
export const receiveDelivery = async (
  deps: StartTargetDeps,
  webhook: Webhook,
  delivery: ReceivedDelivery,
): Promise<Received> => {
  const { verify, dedupe } = webhook.definition
  const verdict = await verifyDelivery(verify, delivery, webhook.variables)
  if (!verdict.ok) throw new BadSignature(verdict.reason)
  const { secretHeader, challenge } = schemeOf(verify)
  const asked = challenge(delivery)
  if (asked !== null) return { challenge: asked }
  try {
    return await startTarget(deps, {
      webhook,
      payload: {
        ...toWebhookBody(delivery.body),
        headers: captureHeaders(delivery.receivedHeaders, secretHeader),
      },
      dedupeValue: dedupe === undefined ? null : await dedupeValue(dedupe, delivery),
      alongside: (started, guard) => recordAccepted(webhook, { ...delivery, started }, guard),
    })
  } catch (error) {
    // the webhook's target went away between the look-up and the start
    if (error instanceof AppError && error.kind === 'not_found') throw unknownWebhook()
    throw error
  }
}
