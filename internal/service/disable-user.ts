/** Closes an account of the instance, or opens it again; its sessions and tokens follow at once. */
import type { Actor } from '#core/actor.ts'
import { normalizeEmail } from '#core/email.ts'
import { conflict, notFound } from '#core/error.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { findUser, type User, updateUserDisabled } from '#store/users.ts'
import type { Deps } from './deps.ts'

/** @throws {AppError} not_found, conflict: oneself */
export const disableUser = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { actor, ...request }: Readonly<{ email: string; isDisabled: boolean; actor: Actor }>,
): Promise<User> => {
  const email = normalizeEmail(request.email)
  const { isDisabled } = request
  if (isDisabled && email === actor.identity) {
    throw conflict('Nobody disables themself. Ask another super admin.', { code: 'own_account' })
  }
  const action = isDisabled ? 'user.disabled' : 'user.enabled'
  const entry = { id: deps.newId(), ws: null, actor, action, target: email }
  await deps.db.write([updateUserDisabled(email, isDisabled), insertAuditEntryIfChanged(entry)])
  const user = await findUser(deps.db, email)
  if (user === null) throw notFound(`User "${email}"`, { code: 'user_not_found' })
  return user
}
