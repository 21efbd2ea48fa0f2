/** The directory: which cell has a workspace that is not in the home cell. It is stored in the home database (core/cells.ts). */
import { AT_HOME, HOME_CELL, type WorkspacePlace } from '#core/cells.ts'
import type { Reader, Statement } from '../database.ts'
import { type RowOf, row, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

const placeRow = row({ cell: text, movingTo: text.nullable })

/** Finds the place of a workspace. If the directory does not list it, it is in the home cell, if it exists. */
export const findPlace = async (home: Reader, ws: string): Promise<WorkspacePlace> =>
  (await placeRow.one(
    home,
    sql`SELECT ${placeRow.columns()} FROM workspace_cells WHERE ws = ${ws}`,
  )) ?? AT_HOME

const entryRow = row({
  ws: text,
  cell: text,
  movingTo: text.nullable,
  moveId: text.nullable,
  leftIn: text.nullable,
})
/** A row of the directory. */
export type PlaceEntry = RowOf<typeof entryRow>

/** Finds the whole row of a workspace, or null. */
export const findPlaceEntry = (home: Reader, ws: string): Promise<PlaceEntry | null> =>
  entryRow.one(home, sql`SELECT ${entryRow.columns()} FROM workspace_cells WHERE ws = ${ws}`)

/** Lists all rows of the directory, by workspace. */
export const listPlaces = (home: Reader): Promise<readonly PlaceEntry[]> =>
  entryRow.all(home, sql`SELECT ${entryRow.columns()} FROM workspace_cells ORDER BY ws`)

/** Lists the names of all cells in the directory. */
export const listUsedCells = (home: Reader): Promise<readonly string[]> =>
  text.all(
    home,
    sql`SELECT cell FROM workspace_cells UNION SELECT left_in FROM workspace_cells WHERE left_in IS NOT NULL`,
  )

/** A guard for the home database: no other cell has a workspace with this id, or is about to create one. */
export const isNotInCell = (ws: string): Statement =>
  sql`NOT EXISTS (SELECT 1 FROM workspace_cells WHERE ws = ${ws} AND cell <> ${HOME_CELL})`

/** Reserves the id of a workspace that is about to be created in a cell. Changes no row if the id is taken. */
export const insertPlace = (ws: string, cell: string): Statement =>
  sql`INSERT INTO workspace_cells (ws, cell, changed_at) SELECT ${ws}, ${cell}, ${SQL_NOW}
    WHERE NOT EXISTS (SELECT 1 FROM workspaces WHERE id = ${ws}) ON CONFLICT DO NOTHING`
