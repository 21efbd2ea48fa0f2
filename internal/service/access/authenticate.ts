/**
 * Authenticates the caller of a request with `Authorization: Bearer`. The order of the checks is [access 2.1]: form, hash,
 * expiry, revocation, disabled account. The HTTP layer compares workspace and scope afterwards. A refusal names the remedy for
 * the holder of a real credential, but not for a text that was never issued.
 */
import type { CredentialKind } from '#core/access/credentials.ts'
import type { Principal } from '#core/access/principal.ts'
import { parseTokenText } from '#core/access/token-text.ts'
import { findConsumerKeyByHash } from '#store/credentials/consumer-keys.ts'
import { findTokenByHash } from '#store/credentials/tokens.ts'
import { findViewTokenByHash } from '#store/credentials/view-tokens.ts'
import type { Database } from '#store/database.ts'
import { findFlowLinkByHash } from '#store/flows/links.ts'
import { findInviteByHash } from '#store/people/invites.ts'
import { authenticateApiToken } from './authenticate-api-token.ts'
import { authenticateCustomerKey } from './authenticate-customer-key.ts'
import { invalidToken } from './invalid-token.ts'

type Authenticate = (db: Database, text: string, home: Database) => Promise<Principal>

/** Kinds that open `/api`. Sessions come by cookie, API keys on the routes of the parser and the relay. */
const BEARERS: Readonly<Partial<Record<CredentialKind, Authenticate>>> = {
  api_token: authenticateApiToken,
  customer_key: authenticateCustomerKey,
}

type FindWorkspace = (db: Database, hash: string) => Promise<string | null>

/** Finds the workspace of a credential by its hash in one database, whether the credential is still valid or not. */
export const WORKSPACES: Readonly<Partial<Record<CredentialKind, FindWorkspace>>> = {
  api_token: async (db, hash) => (await findTokenByHash(db, hash))?.token.ws ?? null,
  customer_key: async (db, hash) => (await findConsumerKeyByHash(db, hash))?.key.ws ?? null,
  view_token: async (db, hash) => (await findViewTokenByHash(db, hash))?.ws ?? null,
  flow_link: async (db, hash) => (await findFlowLinkByHash(db, hash))?.ws ?? null,
  invite: async (db, hash) => (await findInviteByHash(db, hash))?.invite.ws ?? null,
}

/**
 * @param db the database of the credential's workspace
 * @param text the part behind `Bearer `
 * @param home where accounts are; differs from `db` for a workspace of a further cell
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
