/** Local commands with direct access to the database: open, bring to the schema, act, close. */
import { existsSync } from 'node:fs'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { AppError } from '#core/error.ts'
import { checkInstanceKey } from '#service/bootstrap.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { toDatabasePath } from '#store/open-database.ts'
import { bringToSchema } from './bring-to-schema.ts'
import { composeDeps, openConfigured } from './compose.ts'
import { finishKeyRotation } from './finish-key-rotation.ts'
import { checkInstanceKeyIsThere } from './instance-key.ts'

/** Makes the database where there is none: what is made by hand may come before the first start. */
export const withDeps = async <T>(
  config: Config,
  act: (deps: AllDeps) => Promise<T>,
): Promise<T> => {
  const db = await openConfigured(config)
  try {
    await bringToSchema(config, db)
    await finishKeyRotation(config, db)
    await checkInstanceKeyIsThere(config, db)
    const deps = composeDeps(config, db)
    await checkInstanceKey(deps)
    return await act(deps)
  } finally {
    await db.close()
  }
}

/** The refusal of commands that work on the file of a local database. */
export const needsFile = (): AppError =>
  new AppError(
    'invalid',
    'The database is a server over the network, and this command works on a file. Check a copy of it: svc db backup copy.db; svc db restore --data-dir check copy.db; svc db check --data-dir check',
  )

/** The refusal to put a copy in the place of a server's database. */
export const restoreByMove = (): AppError =>
  new AppError(
    'invalid',
    'A copy is not put in the place of a server. Restore it to a folder, and move it to an empty server: svc db restore --data-dir restored <copy>; svc db move --data-dir restored <url>',
  )

/**
 * The file behind the database.
 * @throws {AppError} not_found: there is no such file, most often because the folder is another; invalid: a server
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
    `There is no database at ${path}. Name the folder of another with --data-dir, or make this one: svc start`,
  )
}

/** As `withDeps`, for what makes sense only in a database that is there. @throws {AppError} not_found */
export const withExistingDeps = async <T>(
  config: Config,
  act: (deps: AllDeps) => Promise<T>,
): Promise<T> => {
  const path = toDatabasePath(databaseUrlOf(config))
  if (path !== null) requireFile(path)
  return await withDeps(config, act)
}
