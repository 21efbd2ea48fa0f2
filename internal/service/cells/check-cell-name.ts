/** The name that each database of an instance with cells has, so that two nodes cannot use it under different names. */
import { HOME_CELL } from '#core/cells.ts'
import type { Database } from '#store/database.ts'
import { CELL_NAME, findMeta, insertMeta } from '#store/meta.ts'

/** A database is another cell than the settings name it. Workspaces would be missing, or be created where no other node looks. */
export class WrongCellError extends Error {
  override readonly name = 'WrongCellError'
  constructor(cell: string, stored: string) {
    const setting = cell === HOME_CELL ? 'SVC_DATABASE_URL' : 'SVC_CELLS'
    super(
      `The database of the cell ${cell} is the one of the cell ${stored}. Correct ${setting}: every node gives each cell the same database.`,
    )
  }
}

/** Compares the name of a cell with its database; the first call stores it. @throws {WrongCellError} */
export const checkCellName = async (db: Database, cell: string): Promise<void> => {
  const known = await findMeta(db, CELL_NAME)
  if (known === null) await db.write([insertMeta(CELL_NAME, cell)], { retry: true })
  const stored = known ?? (await findMeta(db, CELL_NAME)) ?? cell
  if (stored !== cell) throw new WrongCellError(cell, stored)
}

/** Checks the first database of an instance. One without cells stores no name. @throws {WrongCellError} */
export const checkHomeName = async (db: Database, hasCells: boolean): Promise<void> => {
  if (hasCells) return checkCellName(db, HOME_CELL)
  const stored = await findMeta(db, CELL_NAME)
  if (stored !== null && stored !== HOME_CELL) throw new WrongCellError(HOME_CELL, stored)
}
