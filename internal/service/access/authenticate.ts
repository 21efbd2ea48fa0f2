/**
 * The caller of a request with `Authorization: Bearer`, checked in the order of [access 2.1]: form, hash, expiry,
 * revocation, disabled account. The workspace and the scope are compared afterwards (http). A refusal contains the remedy for the holder of a
 * real credential; the answer to a text that was never issued contains nothing more.
 */
import type { CredentialKind } from '#core/access/credentials.ts'
import type { Principal } from '#core/access/principal.ts'
import { parseTokenText } from '#core/access/token-text.ts'
import type { Database } from '#store/database.ts'
import { authenticateApiToken } from './authenticate-api-token.ts'
import { authenticateCustomerKey } from './authenticate-customer-key.ts'
import { invalidToken } from './invalid-token.ts'

type Authenticate = (db: Database, text: string, home: Database) => Promise<Principal>

/** Kinds that open `/api`. Sessions come by cookie, API keys on the routes of the parser and the relay. */
const BEARERS: Readonly<Partial<Record<CredentialKind, Authenticate>>> = {
  api_token: authenticateApiToken,
  customer_key: authenticateCustomerKey,
}

/**
 * @param db the database of the credential's workspace
 * @param text the part behind `Bearer `
 * @param home where accounts are; for a workspace of a further cell another one than `db`
 * @throws {AppError} unauthenticated `invalid_token`
 */
export const authenticate = async (
  db: Database,
  text: string,
  home: Database = db,
): Promise<Principal> => {
  const parsed = parseTokenText(text)
  if (parsed === null) {
    throw invalidToken('This is not a valid token. Check that all of it was copied.')
  }
  const known = BEARERS[parsed.kind]
  if (known === undefined) {
    throw invalidToken(
      'This kind of token does not open the API. Use an API token or a customer key.',
    )
  }
  return known(db, text, home)
}
