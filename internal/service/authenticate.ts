/** Who is calling, in document 1's check order: text, hash, expiry, revocation, disabled account or member. */
import { createHash } from 'node:crypto'
import { AppError } from '#core/error.ts'
import type { Principal } from '#core/principal.ts'
import { type GrantedScope, scopesBeyond, scopesOfRole } from '#core/scope.ts'
import { parseTokenText } from '#core/token-text.ts'
import type { Database } from '#store/database.ts'
import { findTokenByHash, type TokenHolder } from '#store/tokens.ts'

export const hashToken = (text: string): string => createHash('sha256').update(text).digest('hex')

const refuse = (message: string): AppError =>
  new AppError('unauthenticated', message, { code: 'invalid_token' })

/**
 * @param text what stands behind `Bearer `
 * @throws {AppError} unauthenticated
 */
export const authenticate = async (db: Database, text: string): Promise<Principal> => {
  const parsed = parseTokenText(text)
  if (parsed === null)
    throw refuse('This is no token, or a mistyped one. Check that all of it was copied.')
  const holder = await findTokenByHash(db, hashToken(text))
  if (holder === null) throw refuse('This token is not known here.')
  if (holder.isExpired) throw refuse('This token has expired. Create a new one.')
  if (holder.token.revokedAt !== null) throw refuse('This token was revoked. Create a new one.')
  if (holder.userDisabled || (holder.role === null && !holder.isSuperAdmin)) {
    throw refuse('The account of this token is disabled or no member of its workspace.')
  }
  return toPrincipal(holder)
}

/** Scopes never widen a role (contract, fine print 2); `*` of a plain member means all that a member may do. */
const toPrincipal = ({ token, role, isSuperAdmin }: TokenHolder): Principal => {
  const isAdmin = isSuperAdmin || role === 'admin'
  return {
    kind: 'api_token',
    credentialId: token.id,
    email: token.email,
    ws: token.ws,
    scopes: isAdmin ? token.scopes : narrow(token.scopes),
    isAdmin: token.isAdmin && isAdmin,
    isSuperAdmin: isSuperAdmin && token.scopes.includes('*'),
  }
}

const narrow = (scopes: readonly GrantedScope[]): readonly GrantedScope[] => {
  const mine = scopesOfRole('member')
  if (scopes.includes('*')) return [...mine, ...MACHINE_SCOPES]
  const beyond = scopesBeyond([...mine, ...MACHINE_SCOPES], scopes)
  return scopes.filter((scope) => !beyond.includes(scope))
}

/** No role holds it: it exists for tokens alone. */
const MACHINE_SCOPES = ['webhooks:invoke'] as const
