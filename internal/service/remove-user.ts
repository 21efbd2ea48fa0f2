/**
 * Removes an account of the instance, so that its address is free for its owner: an invite that somebody else accepted may
 * have made the account. Sessions, tokens and memberships go with it; what the account did stays on record.
 */
import type { Actor } from '#core/actor.ts'
import { normalizeEmail } from '#core/email.ts'
import { conflict, notFound } from '#core/error.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { deleteUser, findUser } from '#store/users.ts'
import type { Deps } from './deps.ts'

/** @throws {AppError} not_found; conflict `own_account`, `last_super_admin` */
export const removeUser = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { actor, ...request }: Readonly<{ email: string; actor: Actor }>,
): Promise<void> => {
  const email = normalizeEmail(request.email)
  if (email === actor.identity) {
    throw conflict('You cannot remove your own account. Ask another super admin.', {
      code: 'own_account',
    })
  }
  const entry = { id: deps.newId(), ws: null, actor, action: 'user.removed', target: email }
  const statements = deleteUser(email)
  const results = await deps.db.write([...statements, insertAuditEntryIfChanged(entry)])
  if (results[statements.length - 1]?.changes === 1) return
  if ((await findUser(deps.db, email)) === null) {
    throw notFound(`User "${email}"`, { code: 'user_not_found' })
  }
  throw conflict('This is the last super admin of the instance. Make another one first.', {
    code: 'last_super_admin',
  })
}
