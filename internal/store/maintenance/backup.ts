/**
 * Copies a file database while it is in use, and restores a copy while it is not.
 *
 * It guarantees: a copy is one consistent state that was checked page by page and written to disk before it gets its name;
 * a restore replaces the database in one step and keeps the previous one. It never overwrites a file.
 * It leaves to others: the instance key, which is needed to read the secrets in a copy; the schema of a copy that is older
 * than this binary (`migrate` at the next start); copying the database of a server (server-copy.ts).
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Libsql from 'libsql'
import { z } from 'zod'
import { AppError, conflict, invalid, notFound } from '#core/error.ts'
import { flush } from '#disk/flush.ts'
import { publishFile } from '#disk/publish-file.ts'
import { takeOwner } from '#disk/take-owner.ts'
import { copyFault, makeCopyFolder } from '../backends/copy-folder.ts'
import { asNumber, asText } from '../column.ts'
import type { SqlValue } from '../database.ts'
import { codeOf, kindOfSqliteError, messageOf } from '../database-error.ts'
import { CELL_NAME } from '../meta.ts'
import { findChanged, type Migration, SCHEMA_VERSION } from '../migrate.ts'

export type Backup = Readonly<{ file: string; bytes: number; schemaVersion: number }>

export type Restored = Readonly<{
  schemaVersion: number
  /** The path at which the previous database is kept; null if there was none. */
  kept: string | null
}>

const BUSY_WAIT_MS = 5_000

/** Suffix of the name of an unfinished copy that a former version of svc was writing. */
export const PARTIAL = '.partial'

/** Returns the first column of the first row, or undefined. Statements of this file run once, so none is kept prepared. */
const firstValue = (connection: Libsql.Database, text: string): SqlValue | undefined => {
  const [row] = connection.prepare(text).all()
  const value: unknown = Object.values(row ?? {})[0]
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

const unusable = (name: string, reason: string, cause?: unknown): AppError =>
  invalid(`${name} cannot be used: ${reason}.`, { code: 'backup_unusable', cause })

const isDamage = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_CORRUPT')

const migrationRows = z.array(z.object({ version: z.number(), checksum: z.string() }))

/** Returns the checksum of every migration that has run, by version. */
const readApplied = (connection: Libsql.Database): ReadonlyMap<number, string> => {
  const rows = connection.prepare('SELECT version, checksum FROM schema_migrations').all()
  return new Map(migrationRows.parse(rows).map(({ version, checksum }) => [version, checksum]))
}

const MOST_LOST = 5

/** Lists the tables with rows that point to missing rows, each with the table that lacks them. */
const listLostReferences = (connection: Libsql.Database): readonly string[] => {
  const query = `SELECT DISTINCT "table" || ' to ' || parent AS lost FROM pragma_foreign_key_check LIMIT ${MOST_LOST}`
  return z
    .array(z.object({ lost: z.string() }))
    .parse(connection.prepare(query).all())
    .map(({ lost }) => lost)
}

type Inspected = Readonly<{
  schemaVersion: number
  /** The first migration that is not the one of this binary; null if there is none. */
  changed: Migration | null
}>

/**
 * Checks the whole file.
 * @param name name of the file in error messages
 * @throws {AppError} invalid: it is damaged or not a database of svc
 */
const inspect = (path: string, name = path): Inspected => {
  let connection: Libsql.Database | null = null
  try {
    connection = new Libsql(path, { timeout: BUSY_WAIT_MS })
    connection.exec('PRAGMA query_only = ON')
    const verdict = asText(firstValue(connection, 'PRAGMA integrity_check'))
    if (verdict !== 'ok') throw unusable(name, `it is damaged (${verdict})`)
    const lost = listLostReferences(connection)
    if (lost.length > 0) {
      throw unusable(name, `rows point to others that are missing (${lost.join(', ')})`)
    }
    const applied = readApplied(connection)
    // other programs have a table of this name too
    if (applied.size === 0) throw unusable(name, 'it is not a database of svc (no migration ran)')
    return { schemaVersion: Math.max(...applied.keys()), changed: findChanged(applied) }
  } catch (error) {
    if (error instanceof AppError) throw error
    const fault = isDamage(error) ? 'it is damaged' : 'it is not a database of svc'
    throw unusable(name, `${fault} (${messageOf(error)})`, error)
  } finally {
    connection?.close()
  }
}

/**
 * Checks every page and reference of the database at `path` and returns its schema version. It changes nothing, and servers
 * may use the database meanwhile.
 * @throws {AppError} not_found: no database at `path`; invalid: it is damaged or not a database of svc
 */
export const checkDatabase = (path: string): number => {
  if (!existsSync(path)) throw notFound(`Database "${path}"`)
  if (statSync(path).isDirectory()) throw unusable(path, 'it is a folder')
  try {
    return inspect(path).schemaVersion
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw invalid(`${error.message} Stop svc and restore a backup: svc db restore <file>`, {
      code: error.code,
      cause: error,
    })
  }
}

/** Returns a value of a database file; null if it has none, or cannot be read. */
const valueOrNull = (path: string, query: string): SqlValue => {
  let connection: Libsql.Database | null = null
  try {
    connection = new Libsql(path, { timeout: BUSY_WAIT_MS })
    connection.exec('PRAGMA query_only = ON')
    return firstValue(connection, query) ?? null
  } catch {
    return null
  } finally {
    connection?.close()
  }
}

/** Returns the schema version of a copy without checking its pages; null if it cannot be read: it is still the only one of its time. */
export const schemaOfCopy = (file: string): number | null => {
  const version = valueOrNull(file, 'SELECT MAX(version) FROM schema_migrations')
  return version === null ? null : asNumber(version)
}

/**
 * Returns the name that a database file has among the cells of its instance; null if it has none. What reads the file next reports
 * that there is no such file, or that it is damaged or of another program.
 */
export const cellOfFile = (path: string): string | null => {
  // SQLite would create it
  if (!existsSync(path)) return null
  const name = valueOrNull(path, `SELECT value FROM meta WHERE key = '${CELL_NAME}'`)
  return typeof name === 'string' ? name : null
}

/** Removes a file with the logs that SQLite leaves next to it when it is killed or the disk is full. */
export const removeWithLog = (path: string): void => {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true })
}

const taken = (target: string): AppError =>
  conflict(
    statSync(target).isDirectory()
      ? `${target} is a folder. Name a new file in it, such as ${join(target, 'svc.db')}, or write backups with dates into it: svc db backup --every 24h ${target}`
      : `${target} is there already. Choose another name.`,
  )

/**
 * Writes a copy of the database at `path` to `file`, readable only by its owner. Servers may use the database meanwhile. The copy
 * is in a folder next to `file` until it is complete. If this process is killed, the next backup there deletes that folder.
 * @throws {AppError} not_found: no database at `path`; conflict: `file` exists; invalid: the copy is damaged
 * @throws {DatabaseError} the copy could not be written
 */
export const backupDatabase = (path: string, file: string): Backup => {
  const target = resolve(file)
  if (!existsSync(path)) throw notFound(`Database "${path}"`)
  if (existsSync(target)) throw taken(target)
  removeWithLog(`${target}${PARTIAL}`)
  const folder = makeCopyFolder(dirname(target))
  try {
    const draft = join(folder.path, basename(target))
    // SQLite writes into an empty file, and would create one that others may read meanwhile
    closeSync(openSync(draft, 'wx', 0o600))
    copyInto(path, draft, target)
    letShrink(draft)
    const { schemaVersion } = inspect(draft, target)
    const bytes = statSync(draft).size
    publishFile(draft, target)
    return { file: target, bytes, schemaVersion }
  } finally {
    folder.remove()
  }
}

/** Lets a copy return the space of deleted rows to the disk, as svc's own files do. Copies of a server's database need this. */
const letShrink = (file: string): void => {
  const connection = new Libsql(file)
  try {
    if (firstValue(connection, 'PRAGMA auto_vacuum') !== 0) return
    connection.exec('PRAGMA auto_vacuum = INCREMENTAL')
    connection.exec('VACUUM')
  } finally {
    connection.close()
  }
}

/** @param shown the name of the copy in error messages */
const copyInto = (path: string, file: string, shown: string): void => {
  const connection = new Libsql(path, { timeout: BUSY_WAIT_MS })
  try {
    // exec, because a connection that prepared a statement keeps the file open until garbage collection
    connection.exec(`VACUUM INTO '${file.replaceAll("'", "''")}'`)
  } catch (error) {
    throw copyFault(error, shown)
  } finally {
    connection.close()
  }
}

/**
 * Copies a database file to `partial`. A log next to it, as in a snapshot of a disk, has the last changes and is moved into the
 * copy; SQLite applies only what it has completely.
 */
const copyWithLog = (file: string, partial: string): void => {
  // SQLite would apply the log of a restore that was killed
  removeWithLog(partial)
  copyFileSync(file, partial)
  chmodSync(partial, 0o600)
  if (!existsSync(`${file}-wal`)) return
  copyFileSync(`${file}-wal`, `${partial}-wal`)
  const connection = new Libsql(partial)
  try {
    connection.exec('PRAGMA journal_mode = DELETE')
  } catch (error) {
    // the inspection that follows reports damage; after another fault the copy would lack the log
    if (kindOfSqliteError(codeOf(error), messageOf(error)) !== 'corrupt') throw error
  } finally {
    connection.close()
  }
}

/**
 * Replaces the database at `path` by the copy `file`, with the owner of the previous one or else of the folder. The previous
 * database is kept next to it.
 * @param suffix of the kept file's name, for example the time
 * @param cell what the caller calls the database at `path`; null if any copy may become it
 * @throws {AppError} not_found: no such copy; invalid: it is damaged, not a database of svc, of another cell, or newer than this
 * binary; conflict: the database is in use
 */
export const restoreDatabase = (
  file: string,
  path: string,
  suffix: string,
  cell: string | null = null,
): Restored => {
  if (!existsSync(file)) throw notFound(`Backup "${file}"`)
  const partial = `${path}.restoring`
  try {
    // inspect a copy, so that the checked bytes are the ones used and the backup itself is never opened
    copyWithLog(file, partial)
    const { schemaVersion, changed } = inspect(partial, file)
    if (schemaVersion > SCHEMA_VERSION) {
      throw invalid(
        `${file} has schema ${schemaVersion}, this svc knows ${SCHEMA_VERSION}. Restore it with the newer svc.`,
        { code: 'backup_too_new' },
      )
    }
    if (changed !== null) {
      const { version, name: named } = changed
      throw unusable(
        file,
        `migration ${version} (${named}) of this svc is not the one that made it`,
      )
    }
    requireSameCell(file, { copy: cellOfFile(partial), own: cellOfFile(path) ?? cell })
    takeOwner(partial, existsSync(path) ? path : dirname(resolve(path)))
    flush(partial)
    const name = `${path}.${suffix}`
    const kept = existsSync(path) ? keep(path, name) : null
    keepLogs(path, name)
    renameSync(partial, path)
    flush(dirname(resolve(path)))
    return { schemaVersion, kept }
  } finally {
    removeWithLog(partial)
  }
}

/** Workspaces of another cell would be found in two databases, and those of this one in none. */
const requireSameCell = (
  file: string,
  { copy, own }: Readonly<{ copy: string | null; own: string | null }>,
): void => {
  if (copy === null || own === null || copy === own) return
  throw unusable(file, `it is a copy of the cell ${copy}, and the database here is the cell ${own}`)
}

/** Builds the error of a file that another process has open. */
export const inUse = (path: string, cause: unknown): AppError =>
  conflict(`${path} is in use. Stop svc first.`, { code: 'database_in_use', cause })

/**
 * Gives the database's file a second name. First it moves the content of the write-ahead log into the file, unless that cannot
 * be read as a database.
 */
const keep = (path: string, name: string): string => {
  if (existsSync(name)) throw conflict(`${name} is there already. Move it away.`)
  const connection = new Libsql(path, { timeout: 0 })
  try {
    // leaving WAL mode locks the whole database, so it fails while another process has it open
    connection.exec('PRAGMA journal_mode = DELETE')
  } catch (error) {
    if (kindOfSqliteError(codeOf(error), messageOf(error)) !== 'corrupt') throw inUse(path, error)
  } finally {
    connection.close()
  }
  linkSync(path, name)
  return name
}

/** Moves logs to the kept database. SQLite would apply them to the restored file, because they do not name their file. */
const keepLogs = (path: string, name: string): void => {
  for (const log of ['-wal', '-journal']) {
    if (existsSync(`${path}${log}`)) renameSync(`${path}${log}`, `${name}${log}`)
  }
  rmSync(`${path}-shm`, { force: true })
}
