/** What the use cases of the relay share: one way to look at a session, and one name for what it is called elsewhere. */

import { createHmac } from 'node:crypto'
import { AppError, notFound } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { endOf, type RelayEnd } from '#core/relay/session.ts'
import { expireRelaySession, findRelaySession, type RelaySession } from '#store/relay.ts'
import type { Deps } from '../deps.ts'

/** A workspace with more open sessions is one whose key has leaked. */
export const MOST_LIVE_SESSIONS = limit(
  'relay.sessions',
  10_000,
  'items',
  'Open sessions of a workspace. More: 429.',
)

/** What the database keeps of a code: without the instance key the million codes cannot be tried against it. */
export const hashCode = ({ keyring }: Pick<Deps, 'keyring'>, code: string): string =>
  createHmac('sha256', keyring.derivedKey('svc relay code')).update(code).digest('base64url')

/** Where held material stands; it opens nowhere else. */
export const materialContext = (id: string): string => `relay_sessions|${id}`

export const sessionNotFound = (): AppError => notFound('Session', { code: 'session_not_found' })

const ENDED: Readonly<Record<RelayEnd, string>> = {
  delivered: 'The certificate was delivered, and is kept nowhere any more.',
  expired: 'The session has expired. Start a new one on the phone.',
  cancelled: 'The session was cancelled. Start a new one on the phone.',
}

export const sessionEnded = (end: RelayEnd): AppError =>
  new AppError('gone', ENDED[end], { code: `session_${end}` })

type LookDeps = Pick<Deps, 'db' | 'hints'>

/** One whose time is over is ended by whoever looks first. @returns null: there is no such session */
export const lookAtSession = async (deps: LookDeps, id: string): Promise<RelaySession | null> => {
  const session = await findRelaySession(deps.db, id)
  if (session === null || !session.isOver || endOf(session.state) !== null) return session
  await deps.db.write([expireRelaySession(id)], { retry: true })
  deps.hints.relayChanged.emit(id)
  return findRelaySession(deps.db, id)
}

/** As `lookAtSession`, for the key that made it: of another's it learns nothing. @throws {AppError} not_found */
export const lookAtOwnSession = async (
  deps: LookDeps,
  { id, keyId }: Readonly<{ id: string; keyId: string }>,
): Promise<RelaySession> => {
  const session = await lookAtSession(deps, id)
  if (session === null || session.keyId !== keyId) throw sessionNotFound()
  return session
}
