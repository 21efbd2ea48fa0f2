import type { Database } from '#store/database.ts'
import { readRows } from '#store/workspace-copy/read-rows.ts'
import type { CopiedTable } from '#store/workspace-copy/tables.ts'
import { createTally, type TableContent } from './format.ts'

/** Reads every row of a workspace in a table. @returns their number and digest, which two databases can compare */
export const tallyTable = async (
  db: Database,
  table: CopiedTable,
  ws: string,
): Promise<TableContent> => {
  const tally = createTally(table)
  for await (const page of readRows(db, table, ws)) for (const row of page) tally.add(row)
  return tally.end()
}
