import { time } from '../wire.ts'
import { z } from './z.ts'

export const grant = z.strictObject({ app: z.string().max(200), action: z.string().max(200) })

export const consumer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    external_ref: z.string().nullable(),
    disabled: z.boolean(),
    disabled_at: time.nullable(),
    grants: z.array(grant).describe('what its keys may run'),
    created_by: z.string(),
    created_at: time,
    updated_at: time,
  })
  .openapi('Consumer')

export const consumerKey = z
  .object({
    id: z.uuid(),
    key_prefix: z.string(),
    label: z.string(),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    created_by: z.string(),
    created_at: time,
  })
  .openapi('ConsumerKey')

export const createdConsumerKey = consumerKey
  .extend({ key: z.string().describe('shown only once') })
  .openapi('CreatedConsumerKey')
