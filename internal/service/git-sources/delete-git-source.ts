import type { Actor } from '#core/access/actor.ts'
import { releaseApps } from '#store/apps/apps.ts'
import { deleteGitSource as deleteStatement } from '#store/apps/git-sources.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

/** Deletes a git source; its apps stay, without a source. @returns false when it does not exist */
export const deleteGitSource = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { ws, id, actor }: Readonly<{ ws: string; id: string; actor: Actor }>,
): Promise<boolean> => {
  const { source } = await db.write({
    apps: releaseApps(ws, id),
    source: deleteStatement(ws, id),
    audit: audited({ newId }, { ws, actor }, 'git_source.deleted', id),
  })
  return source.changes === 1
}
