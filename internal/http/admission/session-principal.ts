/** The session of a caller, for public routes that also serve people without one. */

import type { Session } from '#core/access/principal.ts'
import { AppError } from '#core/error.ts'
import { authenticateSession } from '#service/access/authenticate-session.ts'
import type { Deps } from '#service/deps.ts'
import type { RequestFacts } from '../request.ts'
import { readSessionCookie } from './session-cookie.ts'

/** @returns null if there is no session, or it has ended */
export const findSessionPrincipal = async (
  { home }: Pick<Deps, 'home'>,
  facts: Pick<RequestFacts, 'baseUrl' | 'header'>,
): Promise<Session | null> => {
  const cookie = readSessionCookie(facts)
  if (cookie === null) return null
  try {
    return await authenticateSession(home, cookie, '')
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') return null
    throw error
  }
}
