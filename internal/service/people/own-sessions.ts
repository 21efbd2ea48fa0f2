/** Lists and ends a person's own sessions. */

import type { Actor } from '#core/access/actor.ts'
import type { Principal } from '#core/access/principal.ts'
import { forbidden, notFound } from '#core/error.ts'
import { denyApprovedLogins } from '#store/people/device-logins.ts'
import {
  isSessionOf,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  type SessionRow,
} from '#store/people/sessions.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

type SessionDeps = Pick<Deps, 'db' | 'newId'>

/** @throws {AppError} forbidden: a token has no sessions */
const requireSession = ({ kind, identity, credentialId }: Principal) => {
  if (kind !== 'session') throw forbidden('Sign in to see your sessions. A token has none.')
  return { email: identity, id: credentialId }
}

export type OwnSession = SessionRow & Readonly<{ isCurrent: boolean }>

/** Lists the sessions [access 7.6] that are valid now, newest first. @throws {AppError} forbidden */
export const listOwnSessions = async (
  { db }: Pick<Deps, 'db'>,
  principal: Principal,
): Promise<readonly OwnSession[]> => {
  const own = requireSession(principal)
  const sessions = await listSessions(db, own.email)
  return sessions.map((session) => ({ ...session, isCurrent: session.id === own.id }))
}

export type EndRequest = Readonly<{ principal: Principal; actor: Actor; id: string }>

/** Ends one session of the caller. @throws {AppError} forbidden; not_found */
export const endOwnSession = async (
  deps: SessionDeps,
  { principal, actor, id }: EndRequest,
): Promise<void> => {
  const { email } = requireSession(principal)
  if (!(await isSessionOf(deps.db, email, id))) {
    throw notFound('Session', { code: 'session_not_found' })
  }
  await deps.db.write(
    [revokeSession(id), audited(deps, { ws: null, actor }, 'session.ended', id)],
    { retry: true },
  )
}

/** Ends all sessions of the caller except the current one. @throws {AppError} forbidden */
export const endOtherSessions = async (
  deps: SessionDeps,
  { principal, actor }: Omit<EndRequest, 'id'>,
): Promise<void> => {
  const { email, id } = requireSession(principal)
  await deps.db.write(
    [
      revokeOtherSessions(email, id),
      audited(deps, { ws: null, actor }, 'session.others_ended', email),
      denyApprovedLogins(email),
    ],
    { retry: true },
  )
}
