/** Authenticates people signed in to the console. Their role in the workspace of the route decides [access 4.2]. */
import type { Session } from '#core/access/principal.ts'
import { scopesOfRole } from '#core/access/scope.ts'
import { parseTokenText } from '#core/access/token-text.ts'
import { AppError } from '#core/error.ts'
import type { Database } from '#store/database.ts'
import { findSessionByHash, type SessionHolder } from '#store/people/sessions.ts'
import { findMembershipInCell } from '#store/people/users.ts'
import { hashToken } from './hash-token.ts'

/**
 * @param text the value of the session cookie
 * @param db the home, which has sessions and accounts
 * @param ws the workspace of the route, empty for routes outside workspaces
 * @param cell the database of that workspace
 * @throws {AppError} unauthenticated `session_ended`
 */
export const authenticateSession = async (
  db: Database,
  text: string,
  ws: string,
  cell: Database = db,
): Promise<Session> => {
  const isSession = parseTokenText(text)?.kind === 'session'
  const own = isSession ? await findSessionByHash(db, hashToken(text), cell === db ? ws : '') : null
  const holder = own === null || cell === db ? own : await withMembership(own, { cell, ws })
  if (holder === null || holder.isExpired || holder.isRevoked || holder.userDisabled) {
    throw new AppError('unauthenticated', 'The session has ended. Sign in again.', {
      code: 'session_ended',
    })
  }
  return toPrincipal(holder, ws)
}

/** Reads the workspace and the role from a further cell, which has them instead of the home. */
const withMembership = async (
  holder: SessionHolder,
  { cell, ws }: Readonly<{ cell: Database; ws: string }>,
): Promise<SessionHolder> => {
  const found = await findMembershipInCell(cell, ws, holder.email)
  return { ...holder, workspaceExists: found !== null, role: found?.role ?? null }
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
