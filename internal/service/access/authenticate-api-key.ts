/**
 * Authenticates callers of the document parser and the relay. An API key opens only their routes, and these
 * accept no other credential.
 */
import type { ApiKey } from '#core/access/principal.ts'
import type { Database } from '#store/database.ts'
import { verifyApiKey } from '../customers/api-key.ts'

/**
 * @param text `keyId.secret`
 * @throws {AppError} unauthenticated
 */
export const authenticateApiKey = async (db: Database, text: string): Promise<ApiKey> => {
  const { keyId, ws } = await verifyApiKey(db, text)
  return {
    kind: 'api_key',
    credentialId: keyId,
    credentialPrefix: keyId,
    identity: `api_key:${keyId}`,
    ws,
  }
}
