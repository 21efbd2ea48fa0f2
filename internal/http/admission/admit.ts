/**
 * Decides who may call a route: first the credential, then the workspace, then the scope [wire 1.2]. A
 * bearer token takes precedence over the session cookie; an unsafe method by cookie must come from one of our own pages.
 */

import { holdsScope, mayAdministerInstance } from '#core/access/policy.ts'
import { customerOf, type Principal, scopesOf } from '#core/access/principal.ts'
import { AppError, forbidden } from '#core/error.ts'
import { authenticate } from '#service/access/authenticate.ts'
import { authenticateApiKey } from '#service/access/authenticate-api-key.ts'
import { authenticateSession } from '#service/access/authenticate-session.ts'
import type { Deps } from '#service/deps.ts'
import type { Database } from '#store/database.ts'
import { admitsCustomers, admitsKeyHeader, scopeOf } from '../endpoint.ts'
import type { Route } from '../route.ts'
import { isSafeMethod, requireOwnPage } from './same-origin.ts'
import { readSessionCookie } from './session-cookie.ts'

/** The header in which calls of the older workflow API send their key [documents 17.1]. */
const KEY_HEADER = 'x-api-key'

export type AdmitRequest = Readonly<{
  route: Route
  /** The workspace in the path; empty for routes outside workspaces. */
  ws: string
  header: (name: string) => string | undefined
  /** The address under which the caller reached this server. */
  baseUrl: () => string
}>

type FoundCell = Readonly<{ db: Database }>

/** Finds the cell that holds a workspace or credential; null for the home cell. @throws {AppError} unavailable */
export type CellFinder = Readonly<{
  ofWorkspace: (ws: string) => Promise<FoundCell | null>
  ofCredential: (text: string) => Promise<FoundCell | null>
}>

export type AdmitDeps = Pick<Deps, 'db'> &
  Readonly<{
    /** Null if the instance has one database. @default null */
    cells?: CellFinder | null
  }>

/** The database that holds a credential. */
const databaseOf = async ({ db, cells = null }: AdmitDeps, text: string): Promise<Database> =>
  cells === null ? db : ((await cells.ofCredential(text))?.db ?? db)

/** @throws {AppError} unauthenticated, forbidden */
export const admit = async (deps: AdmitDeps, request: AdmitRequest): Promise<Principal> => {
  const principal = await identify(deps, request)
  const { route, ws } = request
  if (ws !== '' && principal.ws !== ws) throw wrongWorkspace(principal)
  requireAdmitted(principal, route)
  return principal
}

/** Checks that the credential opens the route, within its own workspace. @throws {AppError} forbidden */
export const requireAdmitted = (principal: Principal, route: Pick<Route, 'admits'>): void => {
  const scope = scopeOf(route)
  if (customerOf(principal) !== null) {
    if (admitsCustomers(route)) return
    throw forbidden('A customer key only runs granted actions and reads its own jobs.', {
      code: 'customer_key',
    })
  }
  if (scope === 'api_key') return
  if (scope === 'instance') {
    if (mayAdministerInstance(principal)) return
    throw forbidden('This needs a super admin, and a token with the scope *.', {
      code: 'super_admin_only',
    })
  }
  if (scope === 'any' || scope === 'public') return
  if (holdsScope(principal, scope)) return
  throw missingScope(principal, scope)
}

const identify = async (deps: AdmitDeps, request: AdmitRequest): Promise<Principal> => {
  const { header, route, ws } = request
  const scope = scopeOf(route)
  const authorization = header('authorization')
  if (scope === 'api_key') {
    if (!admitsKeyHeader(route)) return identifyByApiKey(deps, authorization)
    const ownHeader = header(KEY_HEADER)
    if (ownHeader !== undefined) {
      return authenticateApiKey(await databaseOf(deps, ownHeader), ownHeader)
    }
    return identifyByApiKey(deps, authorization, 'X-API-Key: <keyId>.<secret>')
  }
  if (authorization !== undefined) {
    const text = bearerText(authorization)
    if (text === null) throw noCredential()
    return authenticate(await databaseOf(deps, text), text, deps.db)
  }
  const session = readSessionCookie(request)
  if (session === null) throw noCredential()
  if (!isSafeMethod(route.method)) requireOwnPage(request)
  const cell = ws === '' ? null : await deps.cells?.ofWorkspace(ws)
  return authenticateSession(deps.db, session, ws, cell?.db ?? deps.db)
}

/** @returns null if the header is not `Bearer <text>` (RFC 9110, section 11.4: one space or more) */
const bearerText = (authorization: string): string | null =>
  /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? null

/**
 * Authenticates an API key. Sessions and tokens are refused, whatever their scopes.
 * @param header the header that the error names when no key was sent
 * @throws {AppError} unauthenticated
 */
export const identifyByApiKey = async (
  deps: AdmitDeps,
  authorization: string | undefined,
  header = 'Authorization: Bearer <keyId>.<secret>',
): Promise<Principal> => {
  const text = authorization === undefined ? null : bearerText(authorization)
  if (text === null) {
    throw new AppError('unauthenticated', `Send your API key as "${header}".`)
  }
  return authenticateApiKey(await databaseOf(deps, text), text)
}

const noCredential = (): AppError =>
  new AppError('unauthenticated', 'Send your token as "Authorization: Bearer <token>".')

const wrongWorkspace = ({ kind }: Principal): AppError =>
  forbidden(
    kind === 'session'
      ? 'You are no member of this workspace.'
      : 'This token belongs to another workspace.',
    { code: 'wrong_workspace' },
  )

/** The error names the scopes that the credential has after its owner's role has narrowed them. */
export const missingScope = (principal: Principal, scope: string): AppError => {
  const scopes = scopesOf(principal)
  if (principal.kind === 'session') {
    return forbidden(`Your role does not include ${scope}. Ask an admin of the workspace.`, {
      code: 'missing_scope',
    })
  }
  const held =
    scopes.length === 0
      ? 'It holds none'
      : `Within the role of its owner it holds ${[...scopes].toSorted().join(', ')}`
  return forbidden(`This needs the scope ${scope}, which the token does not hold. ${held}.`, {
    code: 'missing_scope',
  })
}
