/** Removes what an unfinished import has inserted. It never touches an active workspace. */
import { type Actor, CLI_ACTOR } from '#core/actor.ts'
import { notFound } from '#core/error.ts'
import { findHeldWorkspace, releaseWorkspace } from '#store/held-workspaces.ts'
import { deleteCopiedWorkspace } from '#store/workspace-copy/delete-rows.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { deleteHeldRows } from './delete-held-rows.ts'

/**
 * Deletes the rows of the workspace page by page, and the workspace last. After an interruption, the same call continues. Rows
 * that workspaces may share stay: accounts, bundles and sources.
 * @returns how many rows were removed @throws {AppError} not_found: no import holds the workspace
 */
export const discardImport = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, actor = CLI_ACTOR }: Readonly<{ ws: string; actor?: Actor }>,
): Promise<number> => {
  const held = await findHeldWorkspace(deps.db, ws)
  if (held === null) throw notFound(`An import of workspace "${ws}" that has not ended`)
  const rows = await deleteHeldRows(deps.db, held)
  await deps.db.write(
    [
      deleteCopiedWorkspace(held),
      releaseWorkspace(held),
      audited(deps, { ws: null, actor }, 'workspace.import_discarded', ws),
    ],
    { retry: true },
  )
  return rows
}
