/** Who is signed in, for public routes that serve people with and without a session. */

import type { Principal } from '#core/access/principal.ts'
import { AppError } from '#core/error.ts'
import { authenticateSession } from '#service/access/authenticate.ts'
import type { Deps } from '#service/deps.ts'
import type { RequestFacts } from './route.ts'
import { readSessionCookie } from './session-cookie.ts'

/** Null: no session, or one that has ended. */
export const findSessionPrincipal = async (
  { db }: Pick<Deps, 'db'>,
  { header }: Pick<RequestFacts, 'header'>,
): Promise<Principal | null> => {
  const cookie = readSessionCookie(header('cookie'))
  if (cookie === null) return null
  try {
    return await authenticateSession(db, cookie, '')
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') return null
    throw error
  }
}
