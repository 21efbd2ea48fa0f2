import { notFound } from '#core/error.ts'
import { findGitSource, type GitSource } from '#store/apps/git-sources.ts'
import type { Deps } from '../deps.ts'

/** Reads a git source. @throws {AppError} not_found */
export const requireGitSource = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  id: string,
): Promise<GitSource> => {
  const source = await findGitSource(db, ws, id)
  if (source === null) throw notFound('Git source')
  return source
}
