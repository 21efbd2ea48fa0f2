/**
 * Removes an account, so that its address is free for its owner: someone else may have created the account by an invite.
 * Its sessions, tokens and memberships are deleted; records of its actions stay.
 */
import type { Actor } from '#core/actor.ts'
import { normalizeEmail } from '#core/email.ts'
import { conflict, notFound } from '#core/error.ts'
import { deleteUser, findUser } from '#store/users.ts'
import { audited } from './audited.ts'
import type { Deps } from './deps.ts'

/** Removes it. @throws {AppError} not_found; conflict `own_account`, `last_super_admin` */
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
  const { user } = await deps.db.write({
    ...deleteUser(email),
    audit: audited(deps, { ws: null, actor }, 'user.removed', email),
  })
  if (user.changes === 1) return
  if ((await findUser(deps.db, email)) === null) {
    throw notFound(`User "${email}"`, { code: 'user_not_found' })
  }
  throw conflict(
    'This is the last super admin of the instance. Make another user super admin first.',
    {
      code: 'last_super_admin',
    },
  )
}
