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

const PREFIX = '.svc-copy-'
const LOCK = 'lock.db'

export type CopyFolder = Readonly<{
  path: string
  /** Deletes the folder. */
  remove: () => void
}>

/** @returns the connection that holds the lock @throws {Error} another process holds it */
const takeLock = (folder: string): Libsql.Database => {
  const connection = new Libsql(join(folder, LOCK), { timeout: 0 })
  try {
    connection.exec('BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const toCopyFolder = (path: string): CopyFolder => {
  const lock = takeLock(path)
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
      toCopyFolder(path).remove()
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

/** Makes a folder for a copy in `parent`, readable only by its owner, and deletes those that killed processes left there. */
export const makeCopyFolder = (parent: string): CopyFolder => {
  removeLeftCopies(parent)
  return toCopyFolder(mkdtempSync(join(parent, PREFIX)))
}
