/** Customers and their keys on the wire [access 11.3]. */
import type { ConsumerKey } from '#store/consumer-keys.ts'
import type { Consumer } from '#store/consumers.ts'
import { toTimestamp, toTimestampOrNull } from './time.ts'
import { z } from './z.ts'

export const grant = z.strictObject({ app: z.string().max(200), action: z.string().max(200) })

export const consumer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    external_ref: z.string().nullable(),
    disabled: z.boolean(),
    disabled_at: z.string().nullable(),
    grants: z.array(grant).describe('what its keys may run'),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Consumer')

export const toWireConsumer = (row: Consumer) => ({
  id: row.id,
  name: row.name,
  external_ref: row.externalRef,
  disabled: row.disabledAt !== null,
  disabled_at: toTimestampOrNull(row.disabledAt),
  grants: row.grants,
  created_by: row.createdBy,
  created_at: toTimestamp(row.createdAt),
  updated_at: toTimestamp(row.updatedAt),
})

export const consumerKey = z
  .object({
    id: z.uuid(),
    key_prefix: z.string(),
    label: z.string(),
    expires_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
  })
  .openapi('ConsumerKey')

export const createdConsumerKey = consumerKey
  .extend({ key: z.string().describe('shown this once') })
  .openapi('CreatedConsumerKey')

export const toWireConsumerKey = (row: ConsumerKey) => ({
  id: row.id,
  key_prefix: row.prefix,
  label: row.label,
  expires_at: toTimestampOrNull(row.expiresAt),
  revoked_at: toTimestampOrNull(row.revokedAt),
  created_by: row.createdBy,
  created_at: toTimestamp(row.createdAt),
})
