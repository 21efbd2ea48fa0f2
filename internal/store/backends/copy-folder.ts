/**
 * The folder of a copy of a database, for as long as one process uses it.
 *
 * Guarantee: the folder of a process that was killed is found and deleted by the next one, and that of a running process never is,
 * on this machine, in another container or on another machine that shares the disk. The process holds a lock of SQLite in the
 * folder, which the system releases at its end; ids of processes and times of files would not tell.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { DatabaseError } from '../database.ts'
import { codeOf, kindOfSqliteError, messageOf } from '../database-error.ts'

const PREFIX = '.svc-copy-'
const LOCK = 'lock.db'

export type CopyFolder = Readonly<{
  path: string
  /** Deletes the folder. */
  remove: () => void
}>

/** @returns the connection that holds the lock @throws {Error} another process holds it, or a new one has no room */
const takeLock = (folder: string, isNew: boolean): Libsql.Database => {
  const connection = new Libsql(join(folder, LOCK), { timeout: 0 })
  try {
    // SQLite writes to lock an empty database. With a page in it, the lock of a killed process can be taken on a full disk too.
    if (isNew) connection.exec('PRAGMA user_version = 1')
    connection.exec('BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const toCopyFolder = (path: string, isNew: boolean): CopyFolder => {
  const lock = takeLock(path, isNew)
  return {
    path,
    remove: () => {
      // deleted before the lock ends, so that no other process takes it meanwhile
      rmSync(path, { recursive: true, force: true })
      lock.close()
    },
  }
}

/** Deletes the copies in `parent` that processes left behind when they were killed. */
const removeLeftCopies = (parent: string): void => {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(PREFIX))) {
    const path = join(parent, name)
    // a process that has just made its folder has no lock yet
    if (!existsSync(join(path, LOCK))) continue
    try {
      toCopyFolder(path, false).remove()
    } catch {
      // it is used, or of another user
    }
  }
}

/** Returns the bytes of the files of this name in the folders of copies in `parent`. */
export const sizeOfCopies = (parent: string, name: string): number =>
  readdirSync(parent)
    .filter((one) => one.startsWith(PREFIX))
    .map((one) => statSync(join(parent, one, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)

/** Returns the error of a copy that could not be written. @param place the file or folder, for people */
export const copyFault = (error: unknown, place: string): DatabaseError => {
  const message = messageOf(error)
  const kind = kindOfSqliteError(codeOf(error), message)
  const reason = kind === 'full' ? 'its disk is full; make room for a whole copy' : message
  return new DatabaseError(`The copy could not be written to ${place}: ${reason}`, {
    kind,
    outcome: 'none',
    cause: error,
  })
}

/**
 * Makes a folder for a copy in `parent`, readable only by its owner, and deletes those that killed processes left there.
 * @throws {DatabaseError} there is no room @throws {Error} the folder cannot be made
 */
export const makeCopyFolder = (parent: string): CopyFolder => {
  removeLeftCopies(parent)
  const path = mkdtempSync(join(parent, PREFIX))
  try {
    return toCopyFolder(path, true)
  } catch (error) {
    rmSync(path, { recursive: true, force: true })
    throw copyFault(error, parent)
  }
}
