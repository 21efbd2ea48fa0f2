/**
 * Moves a workspace from one cell to another [access 23.4].
 *
 * Guarantees: at most one cell serves the workspace at any time. A single write of the directory switches cells, after every
 * row of both sides was compared. A move that was killed anywhere continues when it is requested again, or is given up.
 * Meanwhile requests for the workspace get 503. A move that fails before the switch undoes itself.
 * Routing is in directory.ts, whose places are at most PLACE_FRESH_MS old.
 * Fails with AppError `conflict` if jobs still run, another move is under way or the two sides differ, and with DatabaseError.
 */

import { CLI_ACTOR } from '#core/access/actor.ts'
import { HOME_CELL, PLACE_FRESH_MS, PLACE_SETTLE_MS } from '#core/cells.ts'
import { AppError, conflict, notFound } from '#core/error.ts'
import { type Database, DatabaseError, type SqlValue } from '#store/database.ts'
import { findMeta } from '#store/meta.ts'
import { readSettings } from '#store/workspace-copy/read-rows.ts'
import { setNotifyRules } from '#store/workspace-copy/write-rows.ts'
import { findPlaceEntry, type PlaceEntry } from '#store/workspaces/cells.ts'
import { raiseFence } from '#store/workspaces/fence.ts'
import {
  findHeldWorkspace,
  type HeldWorkspace,
  isHeldForMove,
  releaseWorkspace,
} from '#store/workspaces/held.ts'
import {
  arrive,
  beginMove,
  countRunning,
  endMove,
  endPause,
  findMoveAge,
  holdArriving,
  holdForMove,
  type Move,
  readMoveId,
} from '#store/workspaces/moved.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { audited } from '../audited.ts'
import { WrongInstanceKeyError } from '../bootstrap.ts'
import type { Deps } from '../deps.ts'
import { compareSides, copyRows, copyWorkspaceRow, type Sides } from './copy-rows.ts'
import { importUnfinished, requireCell } from './find-database.ts'
import { otherMove, refuseMoving } from './other-move.ts'
import { heldInSource, removeFrom, restore, undoMove } from './undo-move.ts'

type MoveDeps = Pick<Deps, 'home' | 'furtherCells' | 'newId' | 'keyring' | 'passFault'>

export type MoveRequest = Readonly<{
  ws: string
  to: string
  /** Milliseconds to wait for running jobs. */
  drainMs: number
  sleep: (ms: number) => Promise<unknown>
  /** Called with what is done next, and while rows are copied. */
  onProgress?: (text: string) => void
}>

export type Moved = Readonly<{ rows: number; pausedMs: number }>

/** A workspace without a row in the directory is at home. */
const AT_HOME: Omit<PlaceEntry, 'ws'> = {
  cell: HOME_CELL,
  movingTo: null,
  moveId: null,
  leftIn: null,
}

const findEntry = async ({ home }: Pick<Deps, 'home'>, ws: string): Promise<PlaceEntry> =>
  (await findPlaceEntry(home, ws)) ?? { ...AT_HOME, ws }

/** Returns the move that is under way, or null. */
const moveOf = ({ ws, cell, movingTo, moveId, leftIn }: PlaceEntry): Move | null =>
  movingTo === null || moveId === null
    ? null
    : { ws, id: readMoveId(moveId).id, from: leftIn ?? cell, to: movingTo }

/** @throws {AppError} not_found, conflict @throws {WrongInstanceKeyError} the key was rotated */
const begin = async (deps: MoveDeps, { ws, to }: MoveRequest): Promise<Move> => {
  const entry = await findEntry(deps, ws)
  const { cell: from } = entry
  const underWay = moveOf(entry)
  if (underWay !== null) {
    if (underWay.to !== to) throw otherMove(ws, underWay.to)
    return underWay
  }
  const source = requireCell(deps, from)
  if ((await findWorkspace(source, ws)) === null) throw notFound(`Workspace "${ws}"`)
  if (from === to)
    throw conflict(`Workspace "${ws}" is in ${to} already.`, { code: 'there_already' })
  const left = await findHeldWorkspace(source, ws)
  // left by a command that was killed after another one had ended its move
  if (left !== null && isHeldForMove(left)) {
    // unless it holds for a move that another command has begun meanwhile
    await refuseMoving(deps, ws)
    await restore(source, left)
  } else if (left !== null) {
    throw importUnfinished(ws)
  }
  const move = { ws, id: deps.newId(), from, to }
  const keyCheck = deps.keyring.checkValue()
  await deps.home.write([beginMove(move, keyCheck)], { retry: true })
  const begun = await findPlaceEntry(deps.home, ws)
  if (begun?.moveId !== move.id && (await findMeta(deps.home, 'instance_key_check')) !== keyCheck) {
    throw new WrongInstanceKeyError()
  }
  if (begun?.moveId !== move.id) throw otherMove(ws, begun?.movingTo ?? null)
  return move
}

/** Waits until no server starts requests for the workspace any more. */
const awaitPause = async (
  { home }: Pick<Deps, 'home'>,
  { ws }: Move,
  sleep: MoveRequest['sleep'],
): Promise<void> => {
  const pauseMs = PLACE_FRESH_MS + PLACE_SETTLE_MS
  const age = (await findMoveAge(home, ws)) ?? 0
  // the age is negative if the clock of the database was set back
  await sleep(Math.max(0, pauseMs - Math.max(0, age)))
}

const DRAIN_LOOK_MS = 250

/** @throws {AppError} conflict `jobs_running` */
const drain = async (source: Database, { ws, drainMs, sleep }: MoveRequest): Promise<void> => {
  for (let waited = 0; ; waited += DRAIN_LOOK_MS) {
    const running = await countRunning(source, ws)
    if (running === 0) return
    if (waited >= drainMs) {
      throw conflict(
        `${running} jobs of workspace "${ws}" still run, so it stays where it is. Wait for them, cancel them, or give them more time with --drain-s.`,
        { code: 'jobs_running' },
      )
    }
    await sleep(DRAIN_LOOK_MS)
  }
}

/**
 * Called after this command has held the workspace. Another command that ends the move from now on finds the hold and removes
 * it. @throws {AppError} conflict `move_ended`
 */
const requireUnderWay = async ({ home }: Pick<Deps, 'home'>, { ws, id }: Move): Promise<void> => {
  if ((await findPlaceEntry(home, ws))?.moveId === id) return
  throw moveEnded(ws)
}

const moveEnded = (ws: string): AppError =>
  conflict(
    `Another command has ended this move of workspace "${ws}". See where it is: svc workspace list`,
    { code: 'move_ended' },
  )

/** Holds the workspace in the target cell. @throws {AppError} conflict: that cell has another workspace with this id */
const holdTarget = async (target: Database, held: HeldWorkspace): Promise<void> => {
  const stale = await findHeldWorkspace(target, held.ws)
  // left by a move that was given up while this cell did not answer
  if (stale !== null && stale.fileId !== held.fileId) await removeFrom(target, stale)
  await target.write([holdArriving(held)], { retry: true })
  if ((await findHeldWorkspace(target, held.ws))?.fileId === held.fileId) return
  throw conflict(`There is a workspace "${held.ws}" in the other cell already.`, {
    code: 'taken_there',
  })
}

const copyAcross = async (
  deps: MoveDeps,
  sides: Sides,
  { move, request }: Readonly<{ move: Move; request: MoveRequest }>,
): Promise<number> => {
  const held = await heldInSource(sides.source, move)
  const { onProgress = () => undefined } = request
  await sides.source.write([holdForMove(held)], { retry: true })
  deps.passFault('move_held')
  // a command that ended an earlier move may still hold it, and would release it during this one
  const holder = await findHeldWorkspace(sides.source, move.ws)
  if (holder?.fileId !== held.fileId) throw moveEnded(move.ws)
  await requireUnderWay(deps, move)
  onProgress('waiting for jobs that run')
  await drain(sides.source, request)
  await sides.source.write(raiseFence(move.ws), { retry: true })
  const arriving = { ws: move.ws, fileId: move.id }
  await holdTarget(sides.target, arriving)
  await requireUnderWay(deps, move)
  await copyWorkspaceRow(deps, sides, arriving)
  const onRows = (rows: number): void => onProgress(`${rows} rows copied`)
  const rows = await copyRows(deps, sides, { held: arriving, onRows })
  deps.passFault('move_copied')
  onProgress('comparing both sides')
  await compareSides(sides, move.ws)
  return rows
}

const rulesOf = async (source: Database, ws: string): Promise<SqlValue> => {
  for await (const [row] of readSettings(source, ws, ['notify'])) return row?.[0] ?? null
  return null
}

/** Completes a committed move. Each step may be repeated. */
const settle = async (deps: MoveDeps, { source, target }: Sides, move: Move): Promise<void> => {
  const { ws, id: fileId } = move
  const held = { ws, fileId }
  if ((await findHeldWorkspace(target, ws)) !== null) {
    const rules = await rulesOf(source, ws)
    await target.write(
      [
        setNotifyRules(held, rules),
        releaseWorkspace(held),
        audited(deps, { ws, actor: CLI_ACTOR }, 'workspace.moved', `${move.from} ${move.to}`),
      ],
      { retry: true },
    )
  }
  deps.passFault('move_released')
  await deps.home.write([endPause(move)], { retry: true })
  deps.passFault('move_served')
}

const cleanUp = async (deps: MoveDeps, source: Database, move: Move): Promise<void> => {
  const held = await heldInSource(source, move)
  await removeFrom(source, held)
  await restore(source, held)
  deps.passFault('move_cleaned')
  await deps.home.write(endMove(move), { retry: true })
}

/**
 * Ends what an earlier move left: rows in the old cell, a move that was given up, or a move that this call reverts because it
 * names the cell in which the workspace still is.
 * @returns whether there was anything to end
 */
const finishEarlier = async (deps: MoveDeps, { ws, to }: MoveRequest): Promise<boolean> => {
  const entry = await findEntry(deps, ws)
  const { leftIn, moveId, cell } = entry
  const underWay = moveOf(entry)
  if (underWay !== null && moveId !== null) {
    const isTakenBack = underWay.from === cell && to === cell
    if (!isTakenBack && !readMoveId(moveId).isGivenUp) return false
    await undoMove(deps, underWay)
    return true
  }
  if (leftIn === null || moveId === null) return false
  await cleanUp(deps, requireCell(deps, leftIn), { ws, id: moveId, from: leftIn, to: cell })
  return true
}

/** Moves a workspace. @throws {AppError} not_found, conflict, unavailable: a cell is away @throws {DatabaseError} */
export const moveWorkspace = async (deps: MoveDeps, request: MoveRequest): Promise<Moved> => {
  const { ws, to, sleep, onProgress = () => undefined } = request
  const hasFinished = await finishEarlier(deps, request)
  if (hasFinished && (await findEntry(deps, ws)).cell === to) return { rows: 0, pausedMs: 0 }
  requireCell(deps, to)
  const move = await begin(deps, request)
  const startedAt = performance.now()
  const sides = { source: requireCell(deps, move.from), target: requireCell(deps, to) }
  deps.passFault('move_begun')
  const hasArrived = (await findEntry(deps, ws)).cell === to
  let rows = 0
  if (!hasArrived) {
    onProgress('waiting until no server begins a request')
    await awaitPause(deps, move, sleep)
    try {
      rows = await copyAcross(deps, sides, { move, request })
      await deps.home.write([arrive(move)], { retry: true })
      await requireUnderWay(deps, move)
    } catch (error) {
      // the workspace would stay paused until the command is repeated
      if (error instanceof AppError || error instanceof DatabaseError) await undoMove(deps, move)
      throw error
    }
    deps.passFault('move_arrived')
  }
  await settle(deps, sides, move)
  const pausedMs = performance.now() - startedAt
  onProgress('removing the rows that stayed behind')
  await cleanUp(deps, sides.source, move)
  return { rows, pausedMs }
}
