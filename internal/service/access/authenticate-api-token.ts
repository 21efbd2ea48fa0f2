/** Authenticates callers with an API token, whose scopes are narrowed to the role of its owner. */
import type { ApiToken } from '#core/access/principal.ts'
import { scopesOfToken } from '#core/access/scope.ts'
import { findTokenByHash, type TokenHolder } from '#store/credentials/tokens.ts'
import type { Database } from '#store/database.ts'
import { findAccount } from '#store/people/users.ts'
import { hashToken } from './hash-token.ts'
import { invalidToken } from './invalid-token.ts'

/**
 * @param home where the account of the owner is
 * @throws {AppError} unauthenticated `invalid_token`
 */
export const authenticateApiToken = async (
  db: Database,
  text: string,
  home: Database,
): Promise<ApiToken> => {
  const found = await findTokenByHash(db, hashToken(text))
  const holder = found === null || home === db ? found : await withAccount(found, home)
  if (holder === null) throw invalidToken('This token is not known here.')
  if (holder.isExpired) throw invalidToken('This token has expired. Create a new one.')
  if (holder.isRevoked) throw invalidToken('This token was revoked. Create a new one.')
  if (holder.userDisabled || (holder.role === null && !holder.isSuperAdmin)) {
    throw invalidToken('The account of this token is disabled or no member of its workspace.')
  }
  const principal = principals.get(holder) ?? toPrincipal(holder)
  principals.set(holder, principal)
  return principal
}

/** A further cell has the row of the token; the home has the account of its owner, which may be deleted. */
const withAccount = async (holder: TokenHolder, home: Database): Promise<TokenHolder> => {
  const account = await findAccount(home, holder.token.email)
  const isSuperAdmin = account?.isSuperAdmin ?? false
  const userDisabled = account === null || account.disabledAt !== null
  if (isSuperAdmin === holder.isSuperAdmin && userDisabled === holder.userDisabled) return holder
  return { ...holder, isSuperAdmin, userDisabled }
}

/** Caches principals for holders that the store returns again. A change that makes a token invalid makes a new holder. */
const principals = new WeakMap<TokenHolder, ApiToken>()

/** A token acts as super admin only if its owner is one and it holds `*` [access 5.6]. */
const toPrincipal = ({ token, role, isSuperAdmin }: TokenHolder): ApiToken => {
  const isAdmin = isSuperAdmin || role === 'admin'
  return {
    kind: 'api_token',
    credentialId: token.id,
    credentialPrefix: token.prefix,
    identity: token.email,
    ws: token.ws,
    scopes: scopesOfToken(isAdmin ? 'admin' : 'member', token.scopes),
    isAdmin: token.isAdmin && isAdmin,
    isSuperAdmin: isSuperAdmin && token.scopes.includes('*'),
  }
}
