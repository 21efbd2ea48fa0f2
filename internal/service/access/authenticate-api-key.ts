/** Callers of the parser and the relay: an API key opens their routes and nothing else, and nothing else opens them. */
import type { Principal } from '#core/access/principal.ts'
import type { Database } from '#store/database.ts'
import { verifyApiKey } from '../api-key.ts'

/**
 * @param text `keyId.secret`
 * @throws {AppError} unauthenticated
 */
export const authenticateApiKey = async (db: Database, text: string): Promise<Principal> => {
  const { keyId, ws } = await verifyApiKey(db, text)
  return {
    kind: 'api_key',
    credentialId: keyId,
    credentialPrefix: keyId,
    identity: `api_key:${keyId}`,
    ws,
    scopes: [],
    isAdmin: false,
    isSuperAdmin: false,
    customerId: null,
  }
}
