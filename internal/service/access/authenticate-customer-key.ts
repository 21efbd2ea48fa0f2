/** Authenticates callers with the key of a customer, whose grants are looked up where a job is enqueued [access 11.2]. */
import type { CustomerKey } from '#core/access/principal.ts'
import { findConsumerKeyByHash } from '#store/credentials/consumer-keys.ts'
import type { Database } from '#store/database.ts'
import { hashToken } from './hash-token.ts'
import { invalidToken } from './invalid-token.ts'

/** @throws {AppError} unauthenticated `invalid_token` */
export const authenticateCustomerKey = async (db: Database, text: string): Promise<CustomerKey> => {
  const holder = await findConsumerKeyByHash(db, hashToken(text))
  if (holder === null) throw invalidToken('This key is not known here.')
  if (holder.isExpired) throw invalidToken('This key has expired. Ask for a new one.')
  if (holder.key.revokedAt !== null) throw invalidToken('This key was revoked. Ask for a new one.')
  if (holder.consumerDisabled) throw invalidToken('The customer of this key is disabled.')
  const { id, prefix, consumerId, ws } = holder.key
  return {
    kind: 'customer_key',
    credentialId: id,
    credentialPrefix: prefix,
    identity: `customer:${consumerId}`,
    ws,
    customerId: consumerId,
  }
}
