/** Signs in with a password [access 6.2], and a second factor if the person has one [access 22.3]. */
import type { Role } from '#core/access/scope.ts'
import { hasPassword } from '#store/people/users.ts'
import { allOf } from '#store/sql.ts'
import { listAllMemberships } from '../cells/list-memberships.ts'
import type { Deps } from '../deps.ts'
import { proveSecondFactor } from '../two-factor/prove-second-factor.ts'
import { type PasswordClaim, provePassword } from './prove-password.ts'
import { type StartedSession, startSession } from './start-session.ts'

export type LoggedIn = Readonly<{
  session: StartedSession
  email: string
  isSuperAdmin: boolean
  workspaces: readonly Readonly<{ id: string; role: Role }>[]
}>

export type LoginClaim = PasswordClaim &
  Readonly<{
    /** The code of the second factor; null if none was sent. */
    code: string | null
    userAgent: string | null
  }>

/** Checks password and second factor and starts a session. @throws {AppError} unauthenticated, rate_limited */
export const logIn = async (
  deps: Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'randomBytes' | 'keyring'>,
  { code, userAgent, ...claim }: LoginClaim,
): Promise<LoggedIn> => {
  const { user, release } = await provePassword(deps, claim)
  const { email, isSuperAdmin } = user
  const { address } = claim
  const factor = await proveSecondFactor(deps, { email, code, address, release })
  const guard = allOf(hasPassword(email, user.passwordHash), factor.guard)
  const alongside = factor.statements
  const session = await startSession(deps, { email, address, userAgent, guard, alongside })
  return { session, email, isSuperAdmin, workspaces: await listAllMemberships(deps, email) }
}
