/**
 * Starts a command as whom and under which small limits it shall run. Each exec replaces the one before it: the process
 * id stays the same from the first to the last.
 */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { MAX_FOLDER_MB } from './guest-limits.ts'

export type Identity = Readonly<{ uid: number; gid: number }>

export const SETPRIV = '/usr/bin/setpriv'

/** Where a wrapped command finds the file that it was given. */
export const FILE_DESCRIPTOR = 9

export type WrapOptions = Readonly<{
  command: string
  args: readonly string[]
  /** Null: as this process does. */
  identity: Identity | null
  /** Opened for reading as FILE_DESCRIPTOR, anew for each process: an offset is shared. */
  file?: string
  /** It ends with this process by itself, and must not be ended so while it starts. */
  isTethered?: boolean
  /** Files that take the ids of processes (cgroup.procs): joined before rights are given up. */
  groups?: readonly string[]
}>

export type WrappedCommand = Readonly<{
  command: string
  args: readonly string[]
  /** Whom it is started as. */
  user: Identity | null
  /** Whom it runs as in the end. */
  owner: Identity | null
}>

/** The host may have died before the kernel was told to end this process with it. */
const STILL_THERE = '[ "$PPID" = "$1" ] || exit 1; shift'
/** No core dumps, few files, none larger than a job may keep (in blocks of 512 bytes). */
const LIMITS = `ulimit -c 0; ulimit -n 512; ulimit -f ${MAX_FOLDER_MB * 2_048}`
/** stderr goes into stdout: what a job writes to both stays in order. */
const RUN = `${STILL_THERE}; ${LIMITS}; exec "$@" 2>&1`
const RUN_WITH_FILE = `${STILL_THERE}; ${LIMITS}; file=$1; shift; exec "$@" 2>&1 ${FILE_DESCRIPTOR}<"$file"`
const JOIN = 'while [ "$1" != -- ]; do echo 0 >"$1" || exit 1; shift; done; shift; exec "$@"'

const shell = (script: string, args: readonly string[]): readonly string[] => [
  '/bin/sh',
  '-c',
  script,
  'svc-guest',
  ...args,
]

const becoming = ({ uid, gid }: Identity): readonly string[] => [
  '--reuid',
  String(uid),
  '--regid',
  String(gid),
  '--clear-groups',
]

export const wrapCommand = (options: WrapOptions): WrappedCommand => {
  const { command, args, identity, file, isTethered = false, groups = [] } = options
  const host = String(process.pid)
  const run =
    file === undefined
      ? shell(RUN, [host, command, ...args])
      : shell(RUN_WITH_FILE, [host, file, command, ...args])
  const hasSetpriv = existsSync(SETPRIV)
  const joins = groups.length > 0 && hasSetpriv
  // the kernel ends the guest when this process dies, whatever the guest is doing
  const tether = hasSetpriv
    ? [
        SETPRIV,
        ...(joins && identity !== null ? becoming(identity) : []),
        ...(isTethered ? [] : ['--pdeathsig', 'KILL']),
        '--no-new-privs',
      ]
    : []
  const words = joins ? shell(JOIN, [...groups, '--', ...tether, ...run]) : [...tether, ...run]
  const [first = '/bin/sh', ...rest] = words
  // who joins a group needs the rights of this process first
  return { command: first, args: rest, user: joins ? null : identity, owner: identity }
}
