import { releaseApps } from '#store/apps.ts'
import { deleteGitSource as deleteStatement } from '#store/git-sources.ts'
import type { Deps } from './deps.ts'

/** @returns false: there was none. Its apps stay, without a source. */
export const deleteGitSource = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  id: string,
): Promise<boolean> => {
  const [, removed] = await db.write([releaseApps(ws, id), deleteStatement(ws, id)])
  return removed?.changes === 1
}
