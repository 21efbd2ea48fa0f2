/** Deletes the rows of a held workspace, page by page. Rows that workspaces may share stay: accounts, bundles and sources. */
import type { Database } from '#store/database.ts'
import { deleteCopiedRows } from '#store/workspace-copy/delete-rows.ts'
import { readRows } from '#store/workspace-copy/read-rows.ts'
import { copiedSchema } from '#store/workspace-copy/tables.ts'
import type { HeldWorkspace } from '#store/workspaces/held.ts'

/**
 * Deletes all rows except the workspace itself and its hold. It may be repeated after an interruption.
 * @returns how many rows were deleted
 */
export const deleteHeldRows = async (db: Database, held: HeldWorkspace): Promise<number> => {
  let rows = 0
  for (const table of copiedSchema().tables.toReversed()) {
    if (table.isShared) continue
    for await (const page of readRows(db, table, held.ws)) {
      await db.write([deleteCopiedRows(held, table, page)], { retry: true })
      rows += page.length
    }
  }
  return rows
}
