/** Webhooks on the wire [webhooks 5, 6]. */
import { SCHEME_NAMES } from '#core/webhook/schemes.ts'
import { time } from '../wire.ts'
import { errorBody } from './error.ts'
import { jsonDocument, z } from './z.ts'

const started = {
  job_id: z.uuid().optional().describe('of a webhook that names an action'),
  flow_run_id: z.uuid().optional().describe('of a webhook that names a flow'),
}

export const deliveryAccepted = z.object(started).openapi('DeliveryAccepted')

/** The error body, with the job or run that failed. */
export const deliveryFailed = errorBody.extend(started).openapi('DeliveryFailed')

export const webhook = z
  .object({
    app: z.string(),
    key: z.string(),
    url: z.string().describe('for the sender'),
    target: z.string().describe('what a delivery starts, as `app/key`'),
    target_kind: z.enum(['action', 'flow']),
    scheme: z.enum(SCHEME_NAMES),
    last_received_at: time.nullable(),
    last_status: z.int().nullable().describe('HTTP status of the last answer, refusals included'),
    secret_set: z
      .boolean()
      .nullable()
      .describe('whether any variable that it names has a value; null: the scheme needs none'),
  })
  .openapi('Webhook')

export const webhookDetail = webhook
  .extend({
    secrets: z.array(z.object({ key: z.string(), is_set: z.boolean() })),
    definition: jsonDocument.describe('as in the manifest, with its defaults'),
    deployed_by: z.string().describe('with whose permissions its jobs run'),
  })
  .openapi('WebhookDetail')

export const webhookDelivery = z
  .object({
    id: z.uuid(),
    received_at: time,
    status: z.int().describe('HTTP status of the answer'),
    reason: z
      .string()
      .nullable()
      .describe('why it started nothing; `duplicate`: an earlier one has the same value'),
    job_id: z.uuid().nullable(),
    flow_run_id: z.uuid().nullable(),
    bytes: z.int().describe('of the body'),
  })
  .openapi('WebhookDelivery')
