/** Undoes a move of a workspace that was not committed [access 23.4]. */
import { HOME_CELL } from '#core/cells.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { deleteCopiedWorkspace } from '#store/workspace-copy/delete-rows.ts'
import { findPlaceEntry } from '#store/workspaces/cells.ts'
import { dropFence } from '#store/workspaces/fence.ts'
import {
  findHeldWorkspace,
  type HeldWorkspace,
  heldForMove,
  releaseWorkspace,
  requireNoOtherHold,
} from '#store/workspaces/held.ts'
import { endGivenUp, endMove, giveMoveUp, type Move } from '#store/workspaces/moved.ts'
import type { Deps } from '../deps.ts'
import { deleteHeldRows } from '../workspace-copy/delete-held-rows.ts'
import { requireCell } from './find-database.ts'

/** Deletes the rows of the workspace and its hold, if this move holds it. It may be repeated. */
export const removeFrom = async (db: Database, held: HeldWorkspace): Promise<void> => {
  if ((await findHeldWorkspace(db, held.ws))?.fileId !== held.fileId) return
  await deleteHeldRows(db, held)
  await db.write([deleteCopiedWorkspace(held), releaseWorkspace(held)], { retry: true })
}

const ignoreFailing = (error: unknown): void => {
  if (!(error instanceof DatabaseError)) throw error
}

/** Another move holds the workspace, so its fence is needed. */
const ignoreHeld = (error: unknown): void => {
  if (!(error instanceof DatabaseError && error.kind === 'constraint')) throw error
}

/** Returns the hold of a move in the cell that the workspace leaves. A move that an older svc began holds it by the plain id. */
export const heldInSource = async (source: Database, move: Move): Promise<HeldWorkspace> => {
  const found = await findHeldWorkspace(source, move.ws)
  return found?.fileId === move.id ? found : heldForMove(move)
}

/** Removes the fence and the hold where the workspace was, unless another move holds it there. */
export const restore = async (source: Database, held: HeldWorkspace): Promise<void> => {
  const batch = [requireNoOtherHold(held), ...dropFence(held.ws), releaseWorkspace(held)]
  await source.write(batch, { retry: true }).catch(ignoreHeld)
}

/**
 * Undoes a move, so that the workspace is served where it was. If the target does not answer or its disk is full, the next
 * move to it removes the rows there. If another command has ended the move, this removes what the caller has done since then. A
 * move that has arrived is left to the command that completes it.
 */
export const undoMove = async (
  deps: Pick<Deps, 'home' | 'furtherCells'>,
  move: Move,
): Promise<void> => {
  const held = { ws: move.ws, fileId: move.id }
  await deps.home.write([giveMoveUp(move)], { retry: true })
  const moveId = (await findPlaceEntry(deps.home, move.ws))?.moveId ?? null
  // neither ended nor given up
  if (moveId === move.id) return
  const target = deps.furtherCells().find(({ name }) => name === move.to)?.db ?? null
  if (move.to === HOME_CELL || target !== null) {
    await removeFrom(target ?? deps.home, held).catch(ignoreFailing)
  }
  const source = requireCell(deps, move.from)
  await restore(source, await heldInSource(source, move))
  await deps.home.write([endGivenUp(move), ...endMove(move)], { retry: true })
}
