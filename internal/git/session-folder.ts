/**
 * The folder of one git operation, which contains credentials and fetched code. Its name has the id of the process that made
 * it, so that folders of killed processes are found without relying on clocks.
 */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** Distinguishes process ids of this container from equal ones of another container that shares the folder. */
const pidNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')
  } catch {
    // not Linux: all processes share one namespace
    return '0'
  }
}

const PREFIX = `svc-git-${pidNamespace()}-`

/** Creates a folder with mode 0700. @throws {Error} the temporary folder of this machine is full or not writable */
export const makeSessionFolder = (place: string = tmpdir()): string =>
  mkdtempSync(join(place, `${PREFIX}${process.pid}-`))

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Removes the folders of killed processes of this user; runs at each start. Root removes those of other users too, because it gives
 * the folder to the user as which git runs confined.
 */
export const removeLeftSessions = (
  place: string = tmpdir(),
  user: number | undefined = process.getuid?.(),
): void => {
  for (const name of readdirSync(place).filter((one) => one.startsWith(PREFIX))) {
    const pid = Number.parseInt(name.slice(PREFIX.length), 10)
    const path = join(place, name)
    try {
      const isOurs = user === undefined || user === 0 || lstatSync(path).uid === user
      if (pid > 0 && !isRunning(pid) && isOurs) rmSync(path, { recursive: true, force: true })
    } catch {
      // another node has removed it
    }
  }
}
