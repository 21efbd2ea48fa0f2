/** Changes a user's own password; every other session of the user ends. */

import type { Actor } from '#core/access/actor.ts'
import { passwordFault } from '#core/access/password-rule.ts'
import type { Principal } from '#core/access/principal.ts'
import { forbidden, invalid } from '#core/error.ts'
import { HASH_SLOTS } from '#crypto/hash-slots.ts'
import { hashPassword } from '#crypto/password.ts'
import { denyApprovedLogins } from '#store/people/device-logins.ts'
import { revokeOtherSessionsIfChanged } from '#store/people/sessions.ts'
import { hasPassword, updatePassword } from '#store/people/users.ts'
import { auditedOnce, isMade } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { provePassword, wrongCredentials } from './prove-password.ts'

export type PasswordChange = Readonly<{
  principal: Principal
  actor: Actor
  current: string
  next: string
  signal: AbortSignal
}>

/** Changes the password. @throws {AppError} forbidden: no session; invalid: the password rule; unauthenticated; rate_limited */
export const changePassword = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { principal, actor, current, next, signal }: PasswordChange,
): Promise<void> => {
  if (principal.kind !== 'session') throw forbidden('Sign in to change your password.')
  const email = principal.identity
  const fault = passwordFault(next, email)
  if (fault !== null) throw invalid(fault, { code: 'bad_password' })
  const caller = { address: actor.address, signal }
  const { user, release } = await provePassword(deps, { ...caller, email, password: current })
  const passwordHash = await HASH_SLOTS.run(caller, () => hashPassword(next))
  const { audit, recorded } = auditedOnce(deps, { ws: null, actor }, 'password.changed', email)
  const written = await deps.db.write(
    {
      password: updatePassword({ email, before: user.passwordHash, passwordHash }),
      audit,
      sessions: revokeOtherSessionsIfChanged(email, principal.credentialId),
      logins: denyApprovedLogins(email, hasPassword(email, passwordHash)),
      release,
      recorded,
    },
    { retry: true },
  )
  // another request changed it meanwhile, so the current one is no longer right
  if (!isMade(written)) throw wrongCredentials()
}
