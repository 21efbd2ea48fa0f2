/** Changes what a caller has read, and not what another request has made of it since [wire 3.8]. */
import { AppError } from '#core/error.ts'
import { DatabaseError, type Statement } from '#store/database.ts'
import { type ContentMatch, readContent, requireContent } from '#store/row-match.ts'
import type { Deps } from './deps.ts'

export type ReadBefore = Readonly<{
  /** Selects what the caller has read, as one text. */
  content: Statement
  match: ContentMatch
}>

/**
 * @param write gets the statements that its batch begins with, which fail the batch if the content has changed meanwhile. Such a
 * batch must not be repeated, because it would find its own change.
 * @throws {AppError} precondition_failed
 */
export const changeAsRead = async <T>(
  { db }: Pick<Deps, 'db'>,
  { content, match }: ReadBefore,
  write: (guard: readonly Statement[]) => Promise<T>,
): Promise<T> => {
  const read = match === null ? null : await readContent(db, content)
  if (match === null || read === null) return write([])
  if (!match(read)) throw changedMeanwhile()
  try {
    return await write([requireContent(content, read)])
  } catch (error) {
    const isGuard = error instanceof DatabaseError && error.kind === 'other'
    if (isGuard && (await readContent(db, content)) !== read) throw changedMeanwhile()
    throw error
  }
}

const changedMeanwhile = (): AppError =>
  new AppError('precondition_failed', 'It is not what If-Match names. Read it again, then decide.')
