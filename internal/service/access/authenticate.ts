/**
 * Who is calling, checked in the order of [access 2.1]: text, hash, expiry, revocation, disabled account or member.
 * Workspace and scope are compared afterwards (http/admit.ts). A refusal tells the holder what to do; a text that was never
 * issued learns nothing.
 */

import type { Principal } from '#core/access/principal.ts'
import { type GrantedScope, scopesBeyond, scopesOfRole } from '#core/access/scope.ts'
import { parseTokenText, type TokenText } from '#core/access/token-text.ts'
import { AppError } from '#core/error.ts'
import { findConsumerKeyByHash } from '#store/consumer-keys.ts'
import type { Database } from '#store/database.ts'
import { findSessionByHash, type SessionHolder } from '#store/sessions.ts'
import { findTokenByHash, type TokenHolder } from '#store/tokens.ts'
import { hashToken } from '../hash-token.ts'

const refuse = (message: string): AppError =>
  new AppError('unauthenticated', message, { code: 'invalid_token' })

/**
 * @param text what stands behind `Bearer `
 * @throws {AppError} unauthenticated
 */
export const authenticate = async (db: Database, text: string): Promise<Principal> => {
  const parsed = parseTokenText(text)
  if (parsed?.kind === 'api') return authenticateApiToken(db, parsed)
  if (parsed?.kind === 'customer') return authenticateCustomerKey(db, parsed)
  throw refuse(
    parsed === null
      ? 'This is no token, or a mistyped one. Check that all of it was copied.'
      : 'This kind of token does not open the API. Use an API token or a customer key.',
  )
}

const authenticateApiToken = async (db: Database, { text }: TokenText): Promise<Principal> => {
  const holder = await findTokenByHash(db, hashToken(text))
  if (holder === null) throw refuse('This token is not known here.')
  if (holder.isExpired) throw refuse('This token has expired. Create a new one.')
  if (holder.token.revokedAt !== null) throw refuse('This token was revoked. Create a new one.')
  if (holder.userDisabled || (holder.role === null && !holder.isSuperAdmin)) {
    throw refuse('The account of this token is disabled or no member of its workspace.')
  }
  return fromToken(holder)
}

/** Scopes never widen a role [access 4.4]; `*` of a plain member means all that a member may do. */
const fromToken = ({ token, role, isSuperAdmin }: TokenHolder): Principal => {
  const isAdmin = isSuperAdmin || role === 'admin'
  return {
    kind: 'api_token',
    credentialId: token.id,
    credentialPrefix: token.prefix,
    identity: token.email,
    ws: token.ws,
    scopes: isAdmin ? token.scopes : narrow(token.scopes),
    isAdmin: token.isAdmin && isAdmin,
    isSuperAdmin: isSuperAdmin && token.scopes.includes('*'),
    customerId: null,
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

const authenticateCustomerKey = async (db: Database, { text }: TokenText): Promise<Principal> => {
  const holder = await findConsumerKeyByHash(db, hashToken(text))
  if (holder === null) throw refuse('This key is not known here.')
  if (holder.isExpired) throw refuse('This key has expired. Ask for a new one.')
  if (holder.key.revokedAt !== null) throw refuse('This key was revoked. Ask for a new one.')
  if (holder.consumerDisabled) throw refuse('The customer of this key is disabled.')
  const { id, prefix, consumerId, ws } = holder.key
  return {
    kind: 'customer_key',
    credentialId: id,
    credentialPrefix: prefix,
    identity: `customer:${consumerId}`,
    ws,
    scopes: [],
    isAdmin: false,
    isSuperAdmin: false,
    customerId: consumerId,
  }
}

/**
 * @param text the cookie's value
 * @param ws the route's workspace, empty for routes outside workspaces
 * @throws {AppError} unauthenticated
 */
export const authenticateSession = async (
  db: Database,
  text: string,
  ws: string,
): Promise<Principal> => {
  const parsed = parseTokenText(text)
  const holder =
    parsed?.kind === 'session' ? await findSessionByHash(db, hashToken(text), ws) : null
  if (holder === null || holder.isExpired || holder.isRevoked || holder.userDisabled) {
    throw new AppError('unauthenticated', 'The session has ended. Sign in again.', {
      code: 'session_ended',
    })
  }
  return fromSession(holder, ws)
}

/** Role decides [access 4.2]; of a workspace that is not theirs people hold nothing. */
const fromSession = (holder: SessionHolder, ws: string): Principal => {
  const { id, email, role, isSuperAdmin } = holder
  const isMember = holder.workspaceExists && (isSuperAdmin || role !== null)
  return {
    kind: 'session',
    credentialId: id,
    credentialPrefix: null,
    identity: email,
    ws: isMember ? ws : null,
    scopes: isSuperAdmin ? ['*'] : role === null ? [] : scopesOfRole(role),
    isAdmin: isSuperAdmin || role === 'admin',
    isSuperAdmin,
    customerId: null,
  }
}
