/**
 * Replaces the instance key in the data directory and in all databases
 * (service/secrets/rotate-key.ts describes how this survives a crash).
 */
import type { Config } from '#config/config.ts'
import { HOME_CELL } from '#core/cells.ts'
import { AppError, conflict, invalid } from '#core/error.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { loadInstanceKey } from '#crypto/instance-key.ts'
import {
  hasPreviousKey,
  installNextKey,
  listNextKeys,
  removeNextKey,
  writeNextKey,
} from '#crypto/next-instance-key.ts'
import { cellAway } from '#service/cells/find-database.ts'
import type { Deps } from '#service/deps.ts'
import { holdsInstanceKey, rotateInstanceKey } from '#service/secrets/rotate-key.ts'
import { listUsedCells } from '#store/workspaces/cells.ts'
import type { OpenedCells } from '../with-deps.ts'

const previousKeyInTheWay = (): AppError =>
  conflict(
    'secret.key.old is there: an earlier key, with which earlier backups open. Move it away or delete it first.',
  )

const cellNotNamed = (cell: string): AppError =>
  invalid(
    `SVC_CELLS does not name the cell "${cell}", which has workspaces: they would be lost to the new key. Give this command the settings of the nodes.`,
    { code: 'cell_not_named' },
  )

/**
 * Checks before anything changes, since a cell that is left out would open with the previous
 * key only. @throws {AppError} invalid, unavailable
 */
const requireAllCells = async (
  { cells: named }: Config,
  { home }: Pick<Deps, 'home'>,
  cells: OpenedCells,
): Promise<void> => {
  const names = named.map(({ name }) => name)
  for (const cell of await listUsedCells(home)) {
    if (cell !== HOME_CELL && !names.includes(cell)) throw cellNotNamed(cell)
  }
  const away = names.find((name) => !cells.has(name))
  if (away !== undefined) throw cellAway(away)
}

/**
 * Keeps the previous key as secret.key.old. The home cell is rotated first: until the others have the new key, the
 * previous one still opens them (finish-key-rotation.ts).
 * @returns how many workspaces have their data key wrapped by the new key
 * @throws {AppError} conflict: secret.key.old exists, or a workspace is being moved; unavailable: a cell does not answer
 */
export const rotateKeyFiles = async (
  config: Config,
  deps: Deps,
  cells: OpenedCells,
): Promise<number> => {
  if (hasPreviousKey(config.dataDir)) throw previousKeyInTheWay()
  await requireAllCells(config, deps, cells)
  const from = loadInstanceKey(config.dataDir, undefined)
  // keys of rotations that never committed; this commit changes the check value that they expect, so they can be removed after it
  const stale = listNextKeys(config.dataDir)
  const next = writeNextKey(config.dataDir)
  deps.passFault('rotate_before_commit')
  const count = await rotateInstanceKey(deps, { from, to: next.key }).catch(
    async (error: unknown) => {
      // after an unknown outcome the file stays, and the next start decides
      if (error instanceof AppError) removeNextKey(next)
      throw error
    },
  )
  deps.passFault('rotate_committed')
  installNextKey(config.dataDir, next)
  deps.passFault('rotate_installed')
  const keyring = createAesKeyring(loadInstanceKey(config.dataDir, undefined))
  if (!(await holdsInstanceKey({ db: deps.db, keyring }))) {
    throw new Error('The key in secret.key does not open the database; secret.key.old is kept.')
  }
  for (const unused of stale) removeNextKey(unused)
  let all = count
  for (const cell of cells.values()) {
    all += await rotateInstanceKey(cell, { from, to: next.key })
    deps.passFault('rotate_cell_committed')
  }
  return all
}
