/**
 * The user that guests run as, where this machine allows a different one. This
 * does not confine the guest, but limits the damage when a job escapes.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { type Identity, SETPRIV } from './wrap-command.ts'

/** The unprivileged user that every Unix has. */
const NOBODY: Identity = { uid: 65_534, gid: 65_534 }

const OTHERS_ENTER = 0o001
const OTHERS_READ = 0o004
const OTHERS_RUN = 0o005

/** Whether an unprivileged user may run the file or list the folder. All folders above it must be open to others too. */
export const isOpenToOthers = (path: string): boolean => hasRight(path, OTHERS_RUN)

/** Whether such a user may read the file or list the folder. */
export const isReadableByOthers = (path: string): boolean =>
  hasRight(path, statSync(path).isDirectory() ? OTHERS_RUN : OTHERS_READ)

const hasRight = (path: string, right: number): boolean => {
  if ((statSync(path).mode & right) !== right) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & OTHERS_ENTER) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** @returns null if guests run as the user of this process: it is not root, or other users could not run these files */
export const guestIdentity = (...paths: readonly string[]): Identity | null =>
  process.getuid?.() === 0 && paths.every(isOpenToOthers) ? NOBODY : null

/** Sentences for the operator about what this machine lacks. */
export const identityNotes = (identity: Identity | null): readonly string[] => [
  ...(process.getuid?.() === 0 && identity === null
    ? [
        'Jobs run as root: a folder above the runtime is closed to other users. Set SVC_CACHE_DIR to one that is open.',
      ]
    : []),
  ...(existsSync(SETPRIV)
    ? []
    : ['setpriv is missing: a job in a busy loop outlives a killed worker. Install util-linux.']),
]
