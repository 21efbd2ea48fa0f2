/**
 * Deletes the rows of a held workspace, page by page. Accounts and bundles stay, because workspaces may share them. So do source
 * files, which a sweep deletes a day later if nothing refers to them.
 */

import { listSources, sourceNotes } from '#store/apps/unused-sources.ts'
import type { Database } from '#store/database.ts'
import { deleteCopiedRows } from '#store/workspace-copy/delete-rows.ts'
import { readRows } from '#store/workspace-copy/read-rows.ts'
import { copiedSchema } from '#store/workspace-copy/tables.ts'
import type { HeldWorkspace } from '#store/workspaces/held.ts'

/** Source files of one read, which takes a few milliseconds. */
const SOURCES = 1_000

/**
 * Notes the source files of all workspaces that no deployment has. Which of them are of the deleted workspace is unknown, because an
 * import may have been stopped before the rows that refer to them.
 */
const noteUndeployedSources = async (db: Database): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const sources: Awaited<ReturnType<typeof listSources>> = await listSources(db, {
      after,
      limit: SOURCES,
    })
    const hashes = sources.filter(({ isDeployed }) => !isDeployed).map(({ hash }) => hash)
    if (hashes.length > 0) await db.write([sourceNotes.noteAll(hashes)], { retry: true })
    after = sources.at(-1)?.hash
  }
}

/**
 * Deletes all rows except the workspace itself and its hold. It may be repeated after an interruption.
 * @param signal ends it between two writes
 * @returns how many rows were deleted
 */
export const deleteHeldRows = async (
  db: Database,
  held: HeldWorkspace,
  signal?: AbortSignal,
): Promise<number> => {
  let rows = 0
  for (const table of copiedSchema().tables.toReversed()) {
    if (table.isShared) continue
    for await (const page of readRows(db, table, held.ws)) {
      await db.write([deleteCopiedRows(held, table, page)], { retry: true })
      rows += page.length
      if (signal?.aborted === true) return rows
    }
  }
  await noteUndeployedSources(db)
  return rows
}
