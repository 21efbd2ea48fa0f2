/** Removes what an import that did not end has inserted. A workspace that is active is never touched. */
import { type Actor, CLI_ACTOR } from '#core/actor.ts'
import { notFound } from '#core/error.ts'
import { findHeldWorkspace, releaseWorkspace } from '#store/held-workspaces.ts'
import { deleteCopiedRows, deleteCopiedWorkspace } from '#store/workspace-copy/delete-rows.ts'
import { readRows } from '#store/workspace-copy/read-rows.ts'
import { copiedSchema } from '#store/workspace-copy/tables.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

/**
 * Deletes the rows of the workspace page by page, and the workspace last. A call that was interrupted goes on when it is made again.
 * Rows that workspaces may share stay: accounts, bundles and sources.
 * @returns how many rows were removed @throws {AppError} not_found: no import holds the workspace
 */
export const discardImport = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, actor = CLI_ACTOR }: Readonly<{ ws: string; actor?: Actor }>,
): Promise<number> => {
  const held = await findHeldWorkspace(deps.db, ws)
  if (held === null) throw notFound(`An import of workspace "${ws}" that has not ended`)
  let rows = 0
  for (const table of copiedSchema().tables.toReversed()) {
    if (table.isShared) continue
    for await (const page of readRows(deps.db, table, ws)) {
      await deps.db.write([deleteCopiedRows(held, table, page)], { retry: true })
      rows += page.length
    }
  }
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
