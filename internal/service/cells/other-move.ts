/** Refuses what must wait until a workspace has moved. */
import { type AppError, conflict } from '#core/error.ts'
import { findPlaceEntry } from '#store/workspaces/cells.ts'
import type { Deps } from '../deps.ts'

/** Builds the error of a command for a workspace that another command moves. */
export const otherMove = (ws: string, to: string | null): AppError =>
  conflict(
    `Workspace "${ws}" is being moved to ${to}. End that first: svc workspace move ${ws} ${to}`,
    { code: 'other_move' },
  )

/** Returns whether a move of the workspace has not ended. */
export const isMoving = async ({ home }: Pick<Deps, 'home'>, ws: string): Promise<boolean> =>
  ((await findPlaceEntry(home, ws))?.moveId ?? null) !== null

/** @throws {AppError} conflict `other_move`: a move of the workspace has not ended */
export const refuseMoving = async ({ home }: Pick<Deps, 'home'>, ws: string): Promise<void> => {
  const entry = await findPlaceEntry(home, ws)
  if (entry === null || entry.moveId === null) return
  throw otherMove(ws, entry.movingTo ?? entry.cell)
}
