/** Removes what an unfinished import has inserted. It never touches an active workspace. */
import { type Actor, CLI_ACTOR, systemActor } from '#core/access/actor.ts'
import { AppError } from '#core/error.ts'
import { deleteCopiedWorkspace } from '#store/workspace-copy/delete-rows.ts'
import {
  findHeldWorkspace,
  heldForDiscard,
  isHeldForMove,
  listAbandonedImports,
  releaseWorkspace,
  takeHoldOver,
} from '#store/workspaces/held.ts'
import { audited } from '../audited.ts'
import { isMoving, refuseMoving } from '../cells/other-move.ts'
import { restore } from '../cells/undo-move.ts'
import type { Deps } from '../deps.ts'
import { deleteHeldRows } from './delete-held-rows.ts'

/** Days after which an import that was not continued is removed. */
const ABANDONED_DAYS = 7

const noImport = (ws: string): AppError =>
  new AppError('not_found', `Workspace "${ws}" has no unfinished import.`)

export type Discarding = Readonly<{
  /** @default an operator at the command line */
  actor?: Actor
  /** Ends the removal between two writes; the next call continues. */
  signal?: AbortSignal
}>

/**
 * Deletes the rows of the workspace page by page, and the workspace last. After an interruption, the same call continues. Rows
 * that workspaces may share stay: accounts, bundles and sources. A hold that a move has left is removed, and no row.
 * @returns how many rows were removed
 * @throws {AppError} not_found: no import holds the workspace; conflict: a move holds it, and its rows may be the only ones
 */
export const discardImport = async (
  deps: Pick<Deps, 'db' | 'home' | 'newId'>,
  ws: string,
  { actor = CLI_ACTOR, signal }: Discarding = {},
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
  const rows = await deleteHeldRows(deps.db, held, signal)
  if (signal?.aborted === true) return rows
  await deps.db.write(
    [
      deleteCopiedWorkspace(held),
      releaseWorkspace(held),
      audited(deps, { ws: null, actor }, 'workspace.import_discarded', ws),
    ],
    { retry: true },
  )
  return rows
}

/**
 * Removes what abandoned imports have inserted, which would otherwise fill the disk and keep the id of the workspace forever.
 * @param mayDelete called before each import, so that only one of several nodes deletes
 * @returns the workspaces whose imports were removed
 */
export const discardAbandonedImports = async (
  deps: Pick<Deps, 'db' | 'home' | 'newId'>,
  { signal, mayDelete }: Readonly<{ signal: AbortSignal; mayDelete: () => Promise<boolean> }>,
): Promise<readonly string[]> => {
  const discarded: string[] = []
  for (const ws of await listAbandonedImports(deps.db, ABANDONED_DAYS)) {
    if (signal.aborted || !(await mayDelete())) break
    // the rows of a move are a copy that its command continues
    if (await isMoving(deps, ws)) continue
    await discardImport(deps, ws, { actor: systemActor('scheduler'), signal })
    if (!signal.aborted) discarded.push(ws)
  }
  return discarded
}
