/** Runs local commands with direct access to the database: it opens and migrates the database, runs the command, and closes. */
import { existsSync } from 'node:fs'
import { type Config, configOfCell, databaseUrlOf } from '#config/config.ts'
import { HOME_CELL } from '#core/cells.ts'
import { AppError, invalid } from '#core/error.ts'
import { checkInstanceKey } from '#service/bootstrap.ts'
import { checkCellName } from '#service/cells/check-cell-name.ts'
import { cellAway, requireImported, requireSettled } from '#service/cells/find-database.ts'
import type { FurtherCell } from '#service/deps.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { DatabaseError } from '#store/database.ts'
import { toDatabasePath } from '#store/open-database.ts'
import { findPlace } from '#store/workspaces/cells.ts'
import { composeDeps, openConfigured } from './compose.ts'
import { bringToSchema } from './database/bring-to-schema.ts'
import { finishCellRotation, finishKeyRotation } from './keys/finish-key-rotation.ts'
import { checkInstanceKeyIsThere } from './keys/instance-key.ts'

/** The further cells that answer, by name. */
export type OpenedCells = ReadonlyMap<string, AllDeps>

/** Creates the database if there is none, because commands may come before the first start. */
export const withDeps = <T>(config: Config, act: (deps: AllDeps) => Promise<T>): Promise<T> =>
  withCells(config, (deps) => act(deps))

const withCells = async <T>(
  config: Config,
  act: (deps: AllDeps, cells: OpenedCells) => Promise<T>,
): Promise<T> => {
  const db = await openConfigured(config)
  const cells = new Map<string, AllDeps>()
  try {
    await bringToSchema(config, db)
    await finishKeyRotation(config, db)
    await checkInstanceKeyIsThere(config, db)
    const furtherCells = (): readonly FurtherCell[] =>
      config.cells.map(({ name }) => ({ name, db: cells.get(name)?.db ?? null }))
    const deps = composeDeps(config, db, { furtherCells })
    await checkInstanceKey(deps)
    for (const { name } of config.cells) {
      const cell = await openCell(config, name, deps)
      if (cell !== null) cells.set(name, cell)
    }
    return await act(deps, cells)
  } finally {
    for (const cell of cells.values()) await cell.db.close()
    await db.close()
  }
}

/** Null if the cell does not answer: then only operations that need it fail. */
const openCell = async (instance: Config, name: string, home: AllDeps): Promise<AllDeps | null> => {
  const config = configOfCell(instance, name)
  const db = await openConfigured(config)
  try {
    await bringToSchema(config, db)
    const deps = composeDeps(config, db, { home: home.db, furtherCells: home.furtherCells })
    await finishCellRotation(instance, deps, name)
    await checkInstanceKey(deps)
    await checkCellName(db, name)
    return deps
  } catch (error) {
    await db.close()
    if (error instanceof DatabaseError && error.kind === 'unavailable') return null
    throw error
  }
}

/** Where a workspace is, for a command about it. */
export type WorkspaceCell = Readonly<{ deps: AllDeps; config: Config }>

/**
 * Like `withExistingDeps`, in the workspace's cell.
 * @throws {AppError} unavailable: it is moving, or its cell does not answer; conflict: its import has not ended
 */
export const withWorkspaceDeps = <T>(
  config: Config,
  ws: string,
  act: (cell: WorkspaceCell) => Promise<T>,
): Promise<T> => {
  requireDatabase(config)
  return withCells(config, async (home, cells) => {
    const name = requireSettled(ws, await findPlace(home.db, ws))
    const deps = name === HOME_CELL ? home : cells.get(name)
    if (deps === undefined) throw cellAway(name)
    await requireImported(deps.db, ws)
    return act({ deps, config: name === HOME_CELL ? config : configOfCell(config, name) })
  })
}

/** The refusal of commands that work on the file of a local database. */
const needsFile = (): AppError =>
  invalid(
    'SVC_DATABASE_URL names a server, and this command works on a file. Leave the setting out (env -u SVC_DATABASE_URL). To check a server, check a copy: svc db backup copy.db; then without the setting: svc db restore --data-dir check copy.db; svc db check --data-dir check',
  )

/** The refusal to replace the database of a server with a copy. */
export const restoreByMove = (): AppError =>
  invalid(
    'SVC_DATABASE_URL names a server, whose database no copy can replace. Leave the setting out (env -u SVC_DATABASE_URL), restore to a folder and move that to an empty server: svc db restore --data-dir restored <copy>; svc db move --data-dir restored <url>',
  )

/**
 * The file of a local database.
 * @throws {AppError} not_found: the file does not exist, usually because the folder is
 * wrong; invalid: the database is on a server
 */
export const existingDatabasePath = (config: Config): string => {
  const path = toDatabasePath(databaseUrlOf(config))
  if (path === null) throw needsFile()
  requireFile(path)
  return path
}

const requireFile = (path: string): void => {
  if (existsSync(path)) return
  throw new AppError(
    'not_found',
    `There is no database at ${path}. Name the data directory of your node with --data-dir, or create a database here: svc start`,
  )
}

/** Like `withDeps`, for commands that need an existing database. @throws {AppError} not_found */
export const withExistingDeps = async <T>(
  config: Config,
  act: (deps: AllDeps) => Promise<T>,
): Promise<T> => {
  requireDatabase(config)
  return await withDeps(config, act)
}

/** Runs a command about several databases. @throws {AppError} not_found: there is no database yet */
export const withAllCells = <T>(
  config: Config,
  act: (home: AllDeps, cells: OpenedCells) => Promise<T>,
): Promise<T> => {
  requireDatabase(config)
  return withCells(config, act)
}

const requireDatabase = (config: Config): void => {
  const path = toDatabasePath(databaseUrlOf(config))
  if (path !== null) requireFile(path)
}
