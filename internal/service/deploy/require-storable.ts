/** Refuses code and files that the database does not take as one value. */
import { AppError } from '#core/error.ts'
import type { Database } from '#store/database.ts'
import { requireRoom, ValueTooLarge } from '#store/value-size.ts'

const tooLarge = (what: string, cause: ValueTooLarge): AppError =>
  new AppError(
    'too_large',
    `${what} is too large for this database. ${cause.message} A database file takes up to 20 MiB.`,
    { cause },
  )

/**
 * Checks before the write, because a refusal of the database names no file, and a git source would be tried again and again.
 * @param what names the value, as the subject of a sentence @throws {AppError} too_large
 */
export const requireStorable = (
  db: Pick<Database, 'backend'>,
  what: string,
  bytes: number,
): void => {
  try {
    requireRoom(db, bytes)
  } catch (thrown) {
    throw thrown instanceof ValueTooLarge ? tooLarge(what, thrown) : thrown
  }
}
