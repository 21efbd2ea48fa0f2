/**
 * Deletes the rows of a held workspace, page by page. Accounts and bundles stay, because workspaces may share them. So do source
 * files, which a sweep deletes a day later if nothing refers to them.
 */

import { noteSource } from '#store/apps/unused-sources.ts'
import type { Database } from '#store/database.ts'
import { deleteCopiedRows, listCopiedSources } from '#store/workspace-copy/delete-rows.ts'
import { readRows } from '#store/workspace-copy/read-rows.ts'
import { copiedSchema } from '#store/workspace-copy/tables.ts'
import type { HeldWorkspace } from '#store/workspaces/held.ts'

/** Notes of one write. */
const NOTES = 500

const noteSources = async (db: Database, ws: string): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const hashes: readonly string[] = await listCopiedSources(db, ws, { after, limit: NOTES })
    if (hashes.length > 0) await db.write(hashes.map(noteSource), { retry: true })
    after = hashes.at(-1)
  }
}

/**
 * Deletes all rows except the workspace itself and its hold. It may be repeated after an interruption.
 * @returns how many rows were deleted
 */
export const deleteHeldRows = async (db: Database, held: HeldWorkspace): Promise<number> => {
  await noteSources(db, held.ws)
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
