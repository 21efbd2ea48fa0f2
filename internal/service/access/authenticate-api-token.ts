/** Callers with an API token: its scopes, narrowed to the role of its owner. */
import type { ApiToken } from '#core/access/principal.ts'
import { scopesOfToken } from '#core/access/scope.ts'
import type { Database } from '#store/database.ts'
import { findTokenByHash, type TokenHolder } from '#store/tokens.ts'
import { hashToken } from '../hash-token.ts'
import { invalidToken } from './invalid-token.ts'

/** @throws {AppError} unauthenticated `invalid_token` */
export const authenticateApiToken = async (db: Database, text: string): Promise<ApiToken> => {
  const holder = await findTokenByHash(db, hashToken(text))
  if (holder === null) throw invalidToken('This token is not known here.')
  if (holder.isExpired) throw invalidToken('This token has expired. Create a new one.')
  if (holder.token.revokedAt !== null) {
    throw invalidToken('This token was revoked. Create a new one.')
  }
  if (holder.userDisabled || (holder.role === null && !holder.isSuperAdmin)) {
    throw invalidToken('The account of this token is disabled or no member of its workspace.')
  }
  const principal = principals.get(holder) ?? toPrincipal(holder)
  principals.set(holder, principal)
  return principal
}

/** Principals of holders that the store gives again. What makes a token invalid makes a new holder. */
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
