/** Removes what an unfinished import has inserted. It never touches an active workspace. */
import { CLI_ACTOR } from '#core/access/actor.ts'
import { AppError } from '#core/error.ts'
import { deleteCopiedWorkspace } from '#store/workspace-copy/delete-rows.ts'
import {
  findHeldWorkspace,
  heldForDiscard,
  isHeldForMove,
  releaseWorkspace,
  takeHoldOver,
} from '#store/workspaces/held.ts'
import { audited } from '../audited.ts'
import { refuseMoving } from '../cells/other-move.ts'
import { restore } from '../cells/undo-move.ts'
import type { Deps } from '../deps.ts'
import { deleteHeldRows } from './delete-held-rows.ts'

const noImport = (ws: string): AppError =>
  new AppError('not_found', `Workspace "${ws}" has no unfinished import.`)

/**
 * Deletes the rows of the workspace page by page, and the workspace last. After an interruption, the same call continues. Rows
 * that workspaces may share stay: accounts, bundles and sources. A hold that a move has left is removed, and no row.
 * @returns how many rows were removed
 * @throws {AppError} not_found: no import holds the workspace; conflict: a move holds it, and its rows may be the only ones
 */
export const discardImport = async (
  deps: Pick<Deps, 'db' | 'home' | 'newId'>,
  ws: string,
): Promise<number> => {
  const found = await findHeldWorkspace(deps.db, ws)
  if (found === null) throw noImport(ws)
  await refuseMoving(deps, ws)
  if (isHeldForMove(found)) {
    // its command was killed after another one had ended the move: the rows are the only ones
    await restore(deps.db, found)
    return 0
  }
  const held = heldForDiscard(found)
  await deps.db.write([takeHoldOver(found, held)], { retry: true })
  // the import may have ended meanwhile
  if ((await findHeldWorkspace(deps.db, ws))?.fileId !== held.fileId) throw noImport(ws)
  const rows = await deleteHeldRows(deps.db, held)
  await deps.db.write(
    [
      deleteCopiedWorkspace(held),
      releaseWorkspace(held),
      audited(deps, { ws: null, actor: CLI_ACTOR }, 'workspace.import_discarded', ws),
    ],
    { retry: true },
  )
  return rows
}
