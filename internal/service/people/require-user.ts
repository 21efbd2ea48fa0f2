/** Finds an account that a request names. */
import { normalizeEmail } from '#core/access/email.ts'
import { notFound } from '#core/error.ts'
import type { Database } from '#store/database.ts'
import { findUser, type User } from '#store/people/users.ts'

/** @throws {AppError} not_found `user_not_found` */
export const requireUser = async (db: Database, email: string): Promise<User> => {
  const user = await findUser(db, email)
  if (user === null) throw notFound(`User "${normalizeEmail(email)}"`, { code: 'user_not_found' })
  return user
}
