/** People signed in to the console: their role in the workspace of the route decides [access 4.2]. */
import type { Session } from '#core/access/principal.ts'
import { scopesOfRole } from '#core/access/scope.ts'
import { parseTokenText } from '#core/access/token-text.ts'
import { AppError } from '#core/error.ts'
import type { Database } from '#store/database.ts'
import { findSessionByHash, type SessionHolder } from '#store/sessions.ts'
import { hashToken } from '../hash-token.ts'

/**
 * @param text the value of the session cookie
 * @param ws the workspace of the route, empty for routes outside workspaces
 * @throws {AppError} unauthenticated `session_ended`
 */
export const authenticateSession = async (
  db: Database,
  text: string,
  ws: string,
): Promise<Session> => {
  const isSession = parseTokenText(text)?.kind === 'session'
  const holder = isSession ? await findSessionByHash(db, hashToken(text), ws) : null
  if (holder === null || holder.isExpired || holder.isRevoked || holder.userDisabled) {
    throw new AppError('unauthenticated', 'The session has ended. Sign in again.', {
      code: 'session_ended',
    })
  }
  return toPrincipal(holder, ws)
}

/** A person holds no scopes in a workspace that they are not a member of. */
const toPrincipal = (holder: SessionHolder, ws: string): Session => {
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
  }
}
