/**
 * As whom and under which small limits a guest runs, where this host allows it. None of this is the wall: it is what
 * remains when a wall falls.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { MAX_FOLDER_MB } from './guest-folder.ts'

export type Identity = Readonly<{ uid: number; gid: number }>

/** The user without rights that every Unix has. */
const NOBODY: Identity = { uid: 65_534, gid: 65_534 }

const OTHERS_ENTER = 0o001
const OTHERS_RUN = 0o005

/** Whether a user who owns nothing may run the file: it and every folder above it must be open to others. */
const isOpenToOthers = (path: string): boolean => {
  if ((statSync(path).mode & OTHERS_RUN) !== OTHERS_RUN) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & OTHERS_ENTER) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** Null: guests run as this process does, because it is not root or because nobody else could reach the runtime. */
export const guestIdentity = (runtimePath: string): Identity | null =>
  process.getuid?.() === 0 && isOpenToOthers(runtimePath) ? NOBODY : null

const SETPRIV = '/usr/bin/setpriv'

/** stderr into stdout, no core dumps, few files, none larger than a job may keep (in blocks of 512 bytes). */
const SMALL_LIMITS = `ulimit -c 0; ulimit -n 512; ulimit -f ${MAX_FOLDER_MB * 2_048}; exec "$@" 2>&1`

/**
 * Runs a command with stderr joined to stdout and under small limits. Each exec replaces the one before it: the process
 * id stays that of the guest.
 */
export const wrapCommand = (
  command: string,
  args: readonly string[],
): Readonly<{ command: string; args: readonly string[] }> => {
  // the kernel ends the guest when this process dies, whatever the guest is doing
  const tether = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--no-new-privs'] : []
  return {
    command: '/bin/sh',
    args: ['-c', SMALL_LIMITS, 'svc-guest', ...tether, command, ...args],
  }
}

/** What this host lacks, for the operator. */
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
