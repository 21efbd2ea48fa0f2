/**
 * Temporary folders of one process. Their names have the id of the process that made them, so that folders of killed processes
 * are found without relying on clocks.
 */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { isRunning } from './is-running.ts'

export type ProcessFolders = Readonly<{
  /** Makes a folder with mode 0700. @throws {Error} the place is full or not writable */
  make: (place: string) => string
  /**
   * Lists the folders of processes that have ended. Root also owns those of other users, because it gives folders to the users
   * as which its programs run.
   * @param user the id of their owner; undefined if the platform has none
   * @throws {Error} the place cannot be read
   */
  listLeft: (place: string, user: number | undefined) => readonly string[]
}>

/** Distinguishes process ids of this container from equal ones of another container that shares the folder. */
const pidNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')
  } catch {
    // not Linux: all processes share one namespace
    return '0'
  }
}

const isOwnedBy = (path: string, user: number | undefined): boolean =>
  user === undefined || user === 0 || lstatSync(path, { throwIfNoEntry: false })?.uid === user

/** @param kind the beginning of their names, such as svc-git */
export const processFolders = (kind: string): ProcessFolders => {
  const prefix = `${kind}-${pidNamespace()}-`
  return {
    make: (place) => mkdtempSync(join(place, `${prefix}${process.pid}-`)),
    listLeft: (place, user) =>
      readdirSync(place).flatMap((name) => {
        if (!name.startsWith(prefix)) return []
        const pid = Number.parseInt(name.slice(prefix.length), 10)
        const path = join(place, name)
        return pid > 0 && !isRunning(pid) && isOwnedBy(path, user) ? [path] : []
      }),
  }
}
