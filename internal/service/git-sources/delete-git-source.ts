import type { Actor } from '#core/access/actor.ts'
import { releaseApps } from '#store/apps/apps.ts'
import { deleteGitSource as deleteStatement } from '#store/apps/git-sources.ts'
import { auditedOnce, isMade } from '../audited.ts'
import type { Deps } from '../deps.ts'

/** Deletes a git source; its apps stay, without a source. @returns false when it does not exist */
export const deleteGitSource = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { ws, id, actor }: Readonly<{ ws: string; id: string; actor: Actor }>,
): Promise<boolean> => {
  const written = await db.write(
    {
      apps: releaseApps(ws, id),
      source: deleteStatement(ws, id),
      ...auditedOnce({ newId }, { ws, actor }, 'git_source.deleted', id),
    },
    { retry: true },
  )
  return isMade(written)
}
