/** Compares a workspace in the database with the manifest of the file that it was imported from. */
import type { Database } from '#store/database.ts'
import { findCopiedFaults } from '#store/workspace-copy/find-faults.ts'
import { copiedSchema } from '#store/workspace-copy/tables.ts'
import { findBrokenReference, findForeignName } from '#store/workspace-copy/write-rows.ts'
import type { Manifest } from './format.ts'
import { cannotEnd } from './read-file.ts'
import { tallyTable } from './tally-table.ts'

/**
 * Reads and compares every row.
 * @throws {AppError} conflict `import_differs`: a table, a reference or an invariant
 */
export const compareWithFile = async (
  db: Database,
  manifest: Manifest,
  ws: string,
): Promise<void> => {
  for (const table of copiedSchema().tables) {
    const { name } = table
    const [wanted, is] = [manifest.tables[name], await tallyTable(db, table, ws)]
    if (wanted?.rows !== is.rows) {
      throw cannotEnd(ws, `Table ${name} has ${is.rows} rows here, ${wanted?.rows} in the file.`)
    }
    if (wanted.sha256 !== is.sha256) throw cannotEnd(ws, `Table ${name} has other rows here.`)
    const broken = await findBrokenReference(db, table, ws)
    if (broken !== null) throw cannotEnd(ws, `${broken} refers to a row that is missing.`)
    const foreign = await findForeignName(db, table, ws)
    if (foreign !== null) throw cannotEnd(ws, `${foreign} names a row of another workspace.`)
  }
  const faults = await findCopiedFaults(db, ws)
  if (faults.length > 0) {
    throw cannotEnd(ws, `The file breaks invariants of svc db check (${faults.join('; ')}).`)
  }
}
