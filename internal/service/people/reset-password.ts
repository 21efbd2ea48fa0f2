/** Gives an account a new password when its owner has lost it or never had one [access 6.7]. */
import { CLI_ACTOR } from '#core/access/actor.ts'
import { normalizeEmail } from '#core/access/email.ts'
import { hashPassword } from '#crypto/password.ts'
import { denyApprovedLogins } from '#store/people/device-logins.ts'
import { revokeSessions } from '#store/people/sessions.ts'
import { setPassword } from '#store/people/users.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { newPassword } from './new-password.ts'
import { requireUser } from './require-user.ts'

/** Sets a random password and ends all sessions. @returns the password @throws {AppError} not_found: no such account */
export const resetPassword = async (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
  address: string,
): Promise<string> => {
  const email = normalizeEmail(address)
  await requireUser(deps.db, email)
  const password = newPassword(deps)
  await deps.db.write([
    setPassword(email, await hashPassword(password)),
    audited(deps, { ws: null, actor: CLI_ACTOR }, 'password.reset', email),
    revokeSessions(email),
    denyApprovedLogins(email),
  ])
  return password
}
