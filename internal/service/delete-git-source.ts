import type { Actor } from '#core/actor.ts'
import { releaseApps } from '#store/apps.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { deleteGitSource as deleteStatement } from '#store/git-sources.ts'
import type { Deps } from './deps.ts'

/** @returns false: there was none. Its apps stay, without a source. */
export const deleteGitSource = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { ws, id, actor }: Readonly<{ ws: string; id: string; actor: Actor }>,
): Promise<boolean> => {
  const entry = { id: newId(), ws, actor, action: 'git_source.deleted', target: id }
  const [, removed] = await db.write([
    releaseApps(ws, id),
    deleteStatement(ws, id),
    insertAuditEntryIfChanged(entry),
  ])
  return removed?.changes === 1
}
