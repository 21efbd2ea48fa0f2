/** Signs in with a password [access 6.2]. */
import type { Role } from '#core/access/scope.ts'
import { listMemberships } from '#store/users.ts'
import type { Deps } from './deps.ts'
import { type PasswordClaim, provePassword } from './prove-password.ts'
import { type StartedSession, startSession } from './start-session.ts'

export type LoggedIn = Readonly<{
  session: StartedSession
  email: string
  isSuperAdmin: boolean
  workspaces: readonly Readonly<{ id: string; role: Role }>[]
}>

/** Checks the password and starts a session. @throws {AppError} unauthenticated, rate_limited */
export const logIn = async (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
  claim: PasswordClaim,
): Promise<LoggedIn> => {
  const { user, release } = await provePassword(deps, claim)
  const { email, isSuperAdmin } = user
  const { address } = claim
  const session = await startSession(deps, { email, address, alongside: release })
  return { session, email, isSuperAdmin, workspaces: await listMemberships(deps.db, email) }
}
