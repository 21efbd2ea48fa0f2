/**
 * Finds the database of a workspace, for use cases that name the workspace themselves. Routes below a
 * workspace have it already.
 */
import { HOME_CELL, type WorkspacePlace } from '#core/cells.ts'
import { type AppError, conflict, unavailable } from '#core/error.ts'
import type { Database } from '#store/database.ts'
import { findPlace } from '#store/workspaces/cells.ts'
import { findHeldWorkspace, isHeldForMove } from '#store/workspaces/held.ts'
import type { Deps } from '../deps.ts'

const RETRY_AFTER_S = 2

/** Builds the error of a request for a workspace that is being moved between two cells. */
export const workspaceMoving = (ws: string): AppError =>
  unavailable(`Workspace "${ws}" is being moved to another database. Try again shortly.`, {
    code: 'workspace_moving',
    retryAfterS: RETRY_AFTER_S,
  })

/** Builds the error of a write that a fence stopped. */
export const workspaceFenced = (): AppError =>
  unavailable('The workspace is being moved to another database. Try again shortly.', {
    code: 'workspace_moving',
    retryAfterS: RETRY_AFTER_S,
  })

/** Builds the error of a request for a workspace whose cell does not answer or is not configured on this node. */
export const cellAway = (cell: string): AppError =>
  unavailable(
    `The cell "${cell}" of this workspace does not answer. Try again shortly; an operator sees in /healthz which cells are away.`,
    { code: 'cell_unavailable', retryAfterS: RETRY_AFTER_S },
  )

/** @throws {AppError} unavailable: no cell of this name has answered since this process started */
export const requireCell = (
  { home, furtherCells }: Pick<Deps, 'home' | 'furtherCells'>,
  name: string,
): Database => {
  if (name === HOME_CELL) return home
  const db = furtherCells().find((each) => each.name === name)?.db ?? null
  if (db === null) throw cellAway(name)
  return db
}

/** @throws {AppError} unavailable: the workspace is being moved */
export const requireSettled = (ws: string, { cell, movingTo }: WorkspacePlace): string => {
  if (movingTo !== null) throw workspaceMoving(ws)
  return cell
}

/** @throws {AppError} unavailable: the workspace is being moved, or its cell does not answer */
export const findDatabaseOf = async (
  deps: Pick<Deps, 'home' | 'furtherCells'>,
  ws: string,
): Promise<Database> => requireCell(deps, requireSettled(ws, await findPlace(deps.home, ws)))

/** The refusal to use a workspace whose rows are not complete. */
export const importUnfinished = (ws: string): AppError =>
  conflict(
    `The import of workspace "${ws}" has not ended. Import the file again, or delete its rows: svc workspace discard ${ws}`,
  )

/** @throws {AppError} conflict: an import of the workspace has not ended */
export const requireImported = async (db: Database, ws: string): Promise<void> => {
  const held = await findHeldWorkspace(db, ws)
  if (held !== null && !isHeldForMove(held)) throw importUnfinished(ws)
}
