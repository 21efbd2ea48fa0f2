/**
 * The folder into which the binary unpacks its own files. It cannot be a setting of config, because the native database
 * library is needed before settings are read, and commands without a data directory need the folder too.
 */
import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { makeFolder } from '#disk/make-folder.ts'
import { isWrittenOnlyByUser } from './own-file.ts'

const wantedFolder = (): string | null => {
  const { SVC_CACHE_DIR: own, XDG_CACHE_HOME: shared, HOME: home } = process.env
  if (own) return resolve(own)
  if (shared) return join(shared, 'svc')
  // jobs of a root worker run as an unprivileged user, who cannot read root's home
  if (process.getuid?.() === 0) return '/var/cache/svc'
  return !home || home === '/' ? null : join(home, '.cache', 'svc')
}

/** Refuses a folder that another user may write to, because svc executes files from it. */
const isPrivate = (folder: string): boolean => {
  const stat = lstatSync(folder)
  return stat.isDirectory() && isWrittenOnlyByUser(stat)
}

const makePrivate = (folder: string): boolean => {
  try {
    makeFolder(folder, 0o755)
    return isPrivate(folder)
  } catch {
    return false // a read-only or missing home; the next candidate is used
  }
}

/**
 * Returns `SVC_CACHE_DIR`, else the user's cache folder, else a folder of this user in the temporary folder.
 * @throws {Error} none of them is writable by this user only
 */
export const openCacheFolder = (): string => {
  const wanted = wantedFolder()
  const fallback = join(tmpdir(), `svc-${process.getuid?.() ?? 'user'}`)
  const folder = [wanted, fallback].find((path) => path !== null && makePrivate(path))
  if (folder === undefined || folder === null) {
    throw new Error(
      'svc found no folder for unpacking its own files. Set SVC_CACHE_DIR to a folder that only this user may write to.',
    )
  }
  return folder
}
