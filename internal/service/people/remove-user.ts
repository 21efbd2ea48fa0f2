/**
 * Removes an account, so that its address is free for its owner: another person may have created the account by an invite. Its
 * sessions, tokens and memberships are deleted; records of its actions stay.
 */
import type { Actor } from '#core/access/actor.ts'
import { normalizeEmail } from '#core/access/email.ts'
import { type AppError, conflict } from '#core/error.ts'
import { deleteTokens } from '#store/credentials/tokens.ts'
import type { Database } from '#store/database.ts'
import { deleteOpenInvitesByFormerAdmin } from '#store/people/invites.ts'
import {
  deleteAccountCopy,
  deleteUser,
  mayBeRemoved,
  updateUserDisabled,
} from '#store/people/users.ts'
import { audited } from '../audited.ts'
import { cellAway } from '../cells/find-database.ts'
import type { Deps } from '../deps.ts'
import { endTokensOf, hasManyTokens } from './many-tokens.ts'
import { requireUser } from './require-user.ts'

/** Deletes the tokens of an account in small writes, but for the last. */
const deleteMany = async (db: Database, email: string): Promise<void> => {
  await endTokensOf(db, { ws: null, email }, deleteTokens)
}

/**
 * Prepares the removal in further cells. It runs before the account is removed, because nothing names the person there
 * afterwards, and again after that, for what was issued meanwhile. It removes nothing of the last super admin.
 */
const prepareCells = async (
  { db: home, furtherCells }: Pick<Deps, 'db' | 'furtherCells'>,
  email: string,
): Promise<() => Promise<void>> => {
  const cells = furtherCells()
  const isRemovable = cells.length > 0 && (await mayBeRemoved(home, email))
  const databases = isRemovable ? cells.map(({ name, db }) => db ?? raise(cellAway(name))) : []
  return async () => {
    const statements = [...deleteAccountCopy(email), deleteOpenInvitesByFormerAdmin(email, null)]
    for (const db of databases) {
      await deleteMany(db, email)
      await db.write(statements, { retry: true })
    }
  }
}

const raise = (error: Error): never => {
  throw error
}

/** Removes an account. @throws {AppError} not_found; conflict `own_account`, `last_super_admin`; unavailable: a cell is away */
export const removeUser = async (
  deps: Pick<Deps, 'db' | 'furtherCells' | 'newId'>,
  { actor, ...request }: Readonly<{ email: string; actor: Actor }>,
): Promise<void> => {
  const email = normalizeEmail(request.email)
  if (email === actor.identity) {
    throw conflict('You cannot remove your own account. Ask another super admin.', {
      code: 'own_account',
    })
  }
  const removeFromCells = await prepareCells(deps, email)
  await removeFromCells()
  if (await hasManyTokens(deps.db, { ws: null, email })) {
    // an interrupted removal leaves a disabled account, which can be removed again
    const { disabled } = await deps.db.write({
      disabled: updateUserDisabled(email, true),
      audit: audited(deps, { ws: null, actor }, 'user.disabled', email),
    })
    if (disabled.changes === 1) await deleteMany(deps.db, email)
  }
  const { user } = await deps.db.write({
    ...deleteUser(email),
    audit: audited(deps, { ws: null, actor }, 'user.removed', email),
    madeInvites: deleteOpenInvitesByFormerAdmin(email, null),
  })
  if (user.changes === 1) return removeFromCells()
  await requireUser(deps.db, email)
  throw lastSuperAdmin()
}

/** Builds the error of an account without which the instance has no enabled super admin. */
export const lastSuperAdmin = (): AppError =>
  conflict('This is the last super admin of the instance. Make another user super admin first.', {
    code: 'last_super_admin',
  })
