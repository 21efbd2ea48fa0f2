/** What the use cases of the relay share: reading a session, and its errors. */

import { createHmac } from 'node:crypto'
import { AppError, notFound } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { endOf, type RelayEnd } from '#core/relay/session.ts'
import { findApiKey } from '#store/credentials/api-keys.ts'
import type { Database } from '#store/database.ts'
import { expireRelaySession, findRelaySession, type RelaySession } from '#store/relay.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { findDatabaseOf } from '../cells/find-database.ts'
import type { Deps } from '../deps.ts'

/** A workspace with more open sessions has probably leaked its key. */
export const MOST_LIVE_SESSIONS = limit(
  'relay.sessions',
  10_000,
  'items',
  'Open sessions of a workspace. More: 429.',
)

/** Hashes a code for the database with a key, so that a copy of the database does not reveal codes to a search of all million. */
export const hashCode = ({ keyring }: Pick<Deps, 'keyring'>, code: string): string =>
  createHmac('sha256', keyring.derivedKey('svc relay code')).update(code).digest('base64url')

/** The encryption context of an upload, which binds it to its row. */
export const materialContext = (id: string): string => `relay_sessions|${id}`

type CellDeps = Pick<Deps, 'home' | 'furtherCells'>

/**
 * Finds the database of a session's workspace, which may be in another cell than the session.
 * @throws {AppError} unavailable: the workspace is being moved, or its cell does not answer; not_found: it is gone
 */
const findCell = async (deps: CellDeps, ws: string): Promise<Database> =>
  // an instance with one database reads no directory
  deps.furtherCells().length === 0 ? deps.home : findDatabaseOf(deps, ws)

/** Whether the API key of a session is valid. If it is not, no phone can receive the certificate. @throws {AppError} as `findDataKey` */
export const hasValidKey = async (
  deps: CellDeps,
  { ws, keyId }: Pick<RelaySession, 'ws' | 'keyId'>,
): Promise<boolean> => {
  const key = await findApiKey(await findCell(deps, ws), ws, keyId)
  return key !== null && key.revokedAt === null
}

/**
 * Returns the wrapped data key of a session's workspace.
 * @throws {AppError} unavailable: the workspace is being moved, or its cell does not answer; not_found: it is gone
 */
export const findDataKey = async (
  deps: CellDeps,
  { ws }: Pick<RelaySession, 'ws'>,
): Promise<string> => {
  const workspace = await findWorkspace(await findCell(deps, ws), ws)
  if (workspace === null) throw sessionNotFound()
  return workspace.wrappedKey
}

/** Builds the error of an unknown session. */
export const sessionNotFound = (): AppError => notFound('Session', { code: 'session_not_found' })

const ENDED: Readonly<Record<RelayEnd, string>> = {
  delivered: 'The certificate was delivered and is no longer stored.',
  expired: 'The session has expired. Start a new one on the phone.',
  cancelled: 'The session was cancelled. Start a new one on the phone.',
}

/** Builds the error of an ended session. */
export const sessionEnded = (end: RelayEnd): AppError =>
  new AppError('gone', ENDED[end], { code: `session_${end}` })

type LookDeps = Pick<Deps, 'db' | 'hints'>

/** Reads a session; ends it if it has expired. @returns null if it does not exist */
export const lookAtSession = async (deps: LookDeps, id: string): Promise<RelaySession | null> => {
  const session = await findRelaySession(deps.db, id)
  if (session === null || !session.isOver || endOf(session.state) !== null) return session
  await deps.db.write([expireRelaySession(id)], { retry: true })
  deps.hints.relayChanged.emit(id)
  return findRelaySession(deps.db, id)
}

/** Like `lookAtSession`, for the API key that opened the session; others get not_found. @throws {AppError} not_found */
export const lookAtOwnSession = async (
  deps: LookDeps,
  { id, keyId }: Readonly<{ id: string; keyId: string }>,
): Promise<RelaySession> => {
  const session = await lookAtSession(deps, id)
  if (session === null || session.keyId !== keyId) throw sessionNotFound()
  return session
}
