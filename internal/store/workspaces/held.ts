/**
 * Workspaces that are held because an import or move of them has not ended: none of their jobs, schedules and rows may be
 * claimed, fired, sent, swept or shown. The table is empty at other times, so the condition costs one probe.
 */
import { DAY_MS } from '#core/time-units.ts'
import type { Reader, Statement } from '../database.ts'
import { exists, type RowOf, row, text } from '../row.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { isNotInCell } from './cells.ts'

/** A condition: the workspace is not held. @param ws the column that names the workspace */
export const isNotHeld = (ws: string): Statement =>
  raw(`${ws} NOT IN (SELECT ws FROM held_workspaces)`)

const heldRow = row({ ws: text, fileId: text })
export type HeldWorkspace = RowOf<typeof heldRow>

/** Finds the import that holds a workspace, or null. */
export const findHeldWorkspace = (
  db: Pick<Reader, 'one'>,
  ws: string,
): Promise<HeldWorkspace | null> =>
  heldRow.one(db, sql`SELECT ${heldRow.columns()} FROM held_workspaces WHERE ws = ${ws}`)

/** Milliseconds after which an abandoned import no longer prevents the deletion of old rows. */
const LEFT_AFTER_MS = DAY_MS

/** Returns whether an import has begun within a day and has not ended. */
export const isImportUnderWay = (db: Reader): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM held_workspaces WHERE since > ${SQL_NOW} - ${LEFT_AFTER_MS}`)

/** Holds a workspace that does not exist yet. Changes no row if it exists, or if another import holds it. */
export const holdNewWorkspace = ({ ws, fileId }: HeldWorkspace): Statement =>
  sql`INSERT INTO held_workspaces (ws, file_id, since) SELECT ${ws}, ${fileId}, ${SQL_NOW}
    WHERE NOT EXISTS (SELECT 1 FROM workspaces WHERE id = ${ws}) AND ${isNotInCell(ws)}
    ON CONFLICT DO NOTHING`

/** Notes that an import goes on that was interrupted. */
export const renewHold = ({ ws, fileId }: HeldWorkspace): Statement =>
  sql`UPDATE held_workspaces SET since = ${SQL_NOW} WHERE ws = ${ws} AND file_id = ${fileId}`

/** A guard: this import holds the workspace. */
export const isHeldBy = ({ ws, fileId }: HeldWorkspace): Statement =>
  sql`EXISTS (SELECT 1 FROM held_workspaces WHERE ws = ${ws} AND file_id = ${fileId})`

/** Fails the batch with a constraint if something else holds the workspace. Use it before statements that take no condition. */
export const requireNoOtherHold = ({ ws, fileId }: HeldWorkspace): Statement =>
  sql`UPDATE held_workspaces SET since = NULL WHERE ws = ${ws} AND file_id <> ${fileId}`

/** Releases the workspace, so that it becomes active. */
export const releaseWorkspace = ({ ws, fileId }: HeldWorkspace): Statement =>
  sql`DELETE FROM held_workspaces WHERE ws = ${ws} AND file_id = ${fileId}`

const DISCARDED = ' discarded'

/** Returns the hold of the command that removes what an import has inserted. */
export const heldForDiscard = ({ ws, fileId }: HeldWorkspace): HeldWorkspace => ({
  ws,
  fileId: fileId.endsWith(DISCARDED) ? fileId : fileId + DISCARDED,
})

const MOVING = ' moving'

/** Returns the hold of a move in the cell that the workspace leaves. What it holds is not a copy, so nothing discards it. */
export const heldForMove = ({ ws, id }: Readonly<{ ws: string; id: string }>): HeldWorkspace => ({
  ws,
  fileId: id + MOVING,
})

/**
 * A condition: no import holds the workspace. One that moves passes, because it keeps its place among others meanwhile.
 * @param ws the column that names the workspace
 */
export const isNotImporting = (ws: string): Statement =>
  sql`${raw(ws)} NOT IN (SELECT ws FROM held_workspaces WHERE file_id NOT LIKE ${`%${MOVING}`})`

export const isHeldForMove = ({ fileId }: HeldWorkspace): boolean => fileId.endsWith(MOVING)

/** Takes a hold over from an import, which may still run: from then on it neither inserts a row nor releases the workspace. */
export const takeHoldOver = ({ ws, fileId }: HeldWorkspace, by: HeldWorkspace): Statement =>
  sql`UPDATE held_workspaces SET file_id = ${by.fileId} WHERE ws = ${ws} AND file_id = ${fileId}`

/** Lists workspaces whose import has begun, or was last continued, more than so many days ago. */
export const listAbandonedImports = (db: Reader, days: number): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT ws FROM held_workspaces WHERE since < ${SQL_NOW} - ${days * DAY_MS} AND file_id NOT LIKE ${`%${MOVING}`} ORDER BY ws`,
  )
