/** Disables or enables an account of the instance, with immediate effect on its sessions and tokens. */
import type { Actor } from '#core/access/actor.ts'
import { normalizeEmail } from '#core/access/email.ts'
import { conflict } from '#core/error.ts'
import { deleteOpenInvitesByFormerAdmin } from '#store/people/invites.ts'
import { type User, updateUserDisabled } from '#store/people/users.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { lastSuperAdmin } from './remove-user.ts'
import { requireUser } from './require-user.ts'

/** Changes the account. @throws {AppError} not_found; conflict `own_account`, `last_super_admin` */
export const disableUser = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { actor, ...request }: Readonly<{ email: string; isDisabled: boolean; actor: Actor }>,
): Promise<User> => {
  const email = normalizeEmail(request.email)
  const { isDisabled } = request
  if (isDisabled && email === actor.identity) {
    throw conflict('You cannot disable your own account. Ask another super admin.', {
      code: 'own_account',
    })
  }
  const action = isDisabled ? 'user.disabled' : 'user.enabled'
  const { changed } = await deps.db.write({
    changed: updateUserDisabled(email, isDisabled),
    audit: audited(deps, { ws: null, actor }, action, email),
    madeInvites: deleteOpenInvitesByFormerAdmin(email, null),
  })
  const user = await requireUser(deps.db, email)
  if (changed.changes !== 1) throw lastSuperAdmin()
  return user
}
