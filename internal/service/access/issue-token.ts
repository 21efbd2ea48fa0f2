/** Creates and revokes API tokens [access 5]. */

import type { Actor } from '#core/access/actor.ts'
import { normalizeEmail } from '#core/access/email.ts'
import { mayCreateAdminToken } from '#core/access/policy.ts'
import { type Principal, scopesOf } from '#core/access/principal.ts'
import { ALL_SCOPES, type GrantedScope, isGrantedScope, scopesBeyond } from '#core/access/scope.ts'
import { makeTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import { AppError, forbidden, invalid, notFound } from '#core/error.ts'
import { beginRevocation } from '#store/credentials/token-revocations.ts'
import {
  findToken,
  insertToken,
  insertTokenIfChanged,
  revokeToken as revokeStatement,
  revokeTokens,
  type Token,
} from '#store/credentials/tokens.ts'
import type { Statement } from '#store/database.ts'
import { findMember } from '#store/people/members.ts'
import { type Account, findAccount, findRole } from '#store/people/users.ts'
import { audited } from '../audited.ts'
import { copyAccount } from '../cells/copy-account.ts'
import type { Deps } from '../deps.ts'
import { requireWorkspace } from '../workspaces/require-workspace.ts'
import { hashToken } from './hash-token.ts'
import { invalidToken } from './invalid-token.ts'
import { hasMadeMany, isAnyLeft, revokeMade } from './made-tokens.ts'

type TokenDeps = Pick<Deps, 'db' | 'home' | 'newId' | 'randomBytes'>

export type TokenRequest = Readonly<{
  ws: string
  /** The owner, for whom the token acts. */
  email: string
  label: string
  /** Empty for no access. */
  scopes: readonly string[]
  isAdmin: boolean
  /** Null for a token that never expires. */
  expiresInDays: number | null
  actor: Actor
  /** The token that makes it. @default null, a person makes it */
  madeBy?: string | null
  /** A statement of the same write, without whose change there is no token. @default none */
  taking?: Statement
}>

/** A new token. Only this result contains its text, because only its hash is stored. */
export type IssuedToken = Readonly<{ text: string; token: Token }>

/**
 * Creates a token. It belongs to its owner; the audit log has its creator.
 * @throws {AppError} invalid: unknown scope; not_found: workspace or user; forbidden `account_disabled`; unauthenticated:
 * `madeBy` was revoked meanwhile
 */
export const issueToken = async (deps: TokenDeps, request: TokenRequest): Promise<IssuedToken> => {
  const scopes = checkScopes(request.scopes)
  await requireWorkspace(deps, request.ws)
  const owner = await checkOwner(deps, request)
  const id = deps.newId()
  const { text, prefix } = makeTokenText('api_token', deps.randomBytes(TOKEN_RANDOM_BYTES))
  const { email } = owner
  const { ws, label, isAdmin, expiresInDays, actor, madeBy = null, taking } = request
  const row = {
    id,
    ws,
    email,
    label,
    hash: hashToken(text),
    prefix,
    scopes,
    isAdmin,
    expiresInDays,
    createdBy: email,
    madeBy,
    needsMember: !owner.isSuperAdmin,
  }
  const insert = taking === undefined ? [insertToken(row)] : [taking, insertTokenIfChanged(row)]
  const audit = audited(deps, { ws, actor }, 'token.created', id)
  await deps.db.write([...copyAccount(deps, owner), ...insert, audit], { retry: true })
  const token = await findToken(deps.db, ws, id)
  if (token === null) {
    await checkOwner(deps, request)
    throw invalidToken('This token was revoked. Create a new one.')
  }
  return { text, token }
}

const domainOf = (scope: string): string => scope.split(':')[0] ?? ''

const checkScopes = (scopes: readonly string[]): readonly GrantedScope[] => {
  const unknown = scopes.filter((scope) => !isGrantedScope(scope))
  if (unknown.length > 0) {
    const domains = unknown.map(domainOf)
    const alike = ALL_SCOPES.filter((scope) => domains.includes(domainOf(scope)))
    const those = alike.length === 0 ? '' : ` Did you mean ${alike.join(' or ')}?`
    throw invalid(
      `Unknown scope: ${unknown.join(', ')}.${those} \`svc tokens scopes\` or GET /api/tokens/scopes lists all scopes.`,
      { code: 'unknown_scope' },
    )
  }
  return [...new Set(scopes.filter(isGrantedScope))]
}

const noUser = (email: string): AppError =>
  new AppError(
    'not_found',
    `User "${email}" not found. Check the address, or create the user: svc user create ${email}`,
  )

const noMember = (email: string, ws: string): AppError =>
  new AppError(
    'not_found',
    `Member "${email}" of workspace "${ws}" not found. An admin of the workspace invites users, in the console under Members.`,
  )

/** Explains why a person holds no role here: a disabled member cannot be invited, only enabled. */
const noRole = async (db: Deps['db'], email: string, ws: string): Promise<AppError> => {
  const member = await findMember(db, ws, email)
  if (member === null) return noMember(email, ws)
  return forbidden(
    `The member "${member.email}" of workspace "${ws}" is disabled. An admin of the workspace can enable them, in the console under Members.`,
    { code: 'account_disabled' },
  )
}

const checkOwner = async (deps: TokenDeps, { ws, email }: TokenRequest): Promise<Account> => {
  const user = await findAccount(deps.home, normalizeEmail(email))
  if (user === null) throw noUser(email)
  if (user.disabledAt !== null) {
    throw forbidden(`The account "${user.email}" is disabled. Enable it first.`, {
      code: 'account_disabled',
    })
  }
  if (!user.isSuperAdmin && (await findRole(deps.db, ws, email)) === null) {
    throw await noRole(deps.db, email, ws)
  }
  return user
}

/**
 * Checks that the owner of a token with admin rights is an admin, because it would have no effect for a plain member.
 * @throws {AppError} not_found: no such user or member; forbidden `not_an_admin`, `account_disabled`
 */
export const requireAdminOwner = async (
  { db, home }: Pick<Deps, 'db' | 'home'>,
  { ws, email }: Pick<TokenRequest, 'ws' | 'email'>,
): Promise<void> => {
  const user = await findAccount(home, normalizeEmail(email))
  if (user === null) throw noUser(email)
  const role = user.isSuperAdmin ? 'admin' : await findRole(db, ws, email)
  if (role === null) throw await noRole(db, email, ws)
  if (role === 'admin') return
  throw forbidden(
    `${email} is a plain member of "${ws}", so a token of theirs cannot act as admin. Leave --admin out, or make them admin first.`,
    { code: 'not_an_admin' },
  )
}

export type OwnTokenRequest = Omit<TokenRequest, 'email' | 'madeBy' | 'taking'>

const tokenOf = ({ kind, credentialId }: Principal): string | null =>
  kind === 'api_token' ? credentialId : null

/** Like `issueToken`, for the caller, who cannot grant scopes beyond its own. @throws {AppError} also forbidden */
export const issueOwnToken = async (
  deps: TokenDeps,
  caller: Principal,
  request: OwnTokenRequest,
): Promise<IssuedToken> => {
  const held = scopesOf(caller)
  const beyond = scopesBeyond(held, checkScopes(request.scopes))
  if (beyond.length > 0) {
    const names = held.length === 0 ? 'none' : [...held].toSorted().join(', ')
    throw forbidden(
      `You do not hold ${beyond.join(', ')}, so you cannot grant it. Within your role you hold: ${names}.`,
    )
  }
  if (request.isAdmin && !mayCreateAdminToken(caller)) {
    throw forbidden('Only an admin may make a token that acts as admin.')
  }
  return issueToken(deps, { ...request, email: caller.identity, madeBy: tokenOf(caller) })
}

export type Revocation = Readonly<{
  ws: string
  id: string
  actor: Actor
  /** @default an operator at the command line */
  caller?: Principal
}>

/**
 * Revokes a token with all that it made, because a thief may have made others with it. The token that revokes stays valid, so
 * that a new token can replace the one that made it; one that revokes itself leaves what it made. Revoking twice is allowed. The
 * scheduler continues what was interrupted.
 * @throws {AppError} not_found
 */
export const revokeToken = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, id, actor, caller }: Revocation,
): Promise<Token> => {
  const tree = { ws, id, callerId: caller === undefined ? null : tokenOf(caller) }
  const audit = audited(deps, { ws, actor }, 'token.revoked', id)
  if (!(await hasMadeMany(deps.db, tree))) {
    await deps.db.write([revokeStatement(tree), audit], { retry: true })
  } else if (await isAnyLeft(deps.db, tree)) {
    // the audit entry depends on the statement before it: a token that revoked itself has left what it made
    await deps.db.write([revokeTokens(ws, [id]), beginRevocation(tree), audit], { retry: true })
    await revokeMade(deps.db, tree)
  }
  const token = await findToken(deps.db, ws, id)
  if (token === null) throw notFound('Token')
  return token
}
