/**
 * Wraps the command of a guest so that it starts with another identity, low limits and a parent-death
 * signal. Each exec replaces the process before it, so the process id stays the same.
 */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { MAX_FOLDER_MB } from './guest-limits.ts'

export type Identity = Readonly<{ uid: number; gid: number }>

export const SETPRIV = '/usr/bin/setpriv'

/** The descriptor at which a wrapped command finds `file`. */
export const FILE_DESCRIPTOR = 9

export type WrapOptions = Readonly<{
  command: string
  args: readonly string[]
  /** The user to run as, or null for the user of this process. */
  identity: Identity | null
  /** A file that each process opens for reading as FILE_DESCRIPTOR. Sharing one descriptor would share its offset. */
  file?: string
  /** Whether the command sets the parent-death signal itself and must not have it while it starts. @default false */
  diesWithParent?: boolean
  /** The cgroup.procs files of control groups that the process joins before it drops its rights. @default none */
  groups?: readonly string[]
}>

export type WrappedCommand = Readonly<{
  command: string
  args: readonly string[]
  /** The identity to start the process with. */
  user: Identity | null
  /** The identity that the process has in the end. */
  owner: Identity | null
}>

/** The host may die before the parent-death signal is set, so the shell compares its parent id with the host's. */
const PARENT_LIVES = '[ "$PPID" = "$1" ] || exit 1; shift'
/** No core dumps, 512 open files, no file larger than a job may keep (`ulimit -f` counts blocks of 512 bytes). */
const LIMITS = `ulimit -c 0; ulimit -n 512; ulimit -f ${MAX_FOLDER_MB * 2_048}`
/**
 * When memory runs out, the kernel then ends a guest before the node, which is often larger than a single guest. The value is
 * relative, because that of the node may be high itself: up to 999 in a pod of Kubernetes.
 */
const YIELD =
  '{ read score && echo "$((score > 500 ? 1000 : score + 500))" >/proc/self/oom_score_adj; } 2>/dev/null </proc/self/oom_score_adj'
/** Redirects stderr to stdout, so that a job's writes to both stay in order. */
const RUN = `${PARENT_LIVES}; ${LIMITS}; ${YIELD}; exec "$@" 2>&1`
const RUN_WITH_FILE = `${PARENT_LIVES}; ${LIMITS}; ${YIELD}; file=$1; shift; exec "$@" 2>&1 ${FILE_DESCRIPTOR}<"$file"`
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

/** @returns the command that starts the given one with its limits */
export const wrapCommand = (options: WrapOptions): WrappedCommand => {
  const { command, args, identity, file, diesWithParent = false, groups = [] } = options
  const host = String(process.pid)
  const run =
    file === undefined
      ? shell(RUN, [host, command, ...args])
      : shell(RUN_WITH_FILE, [host, file, command, ...args])
  const hasSetpriv = existsSync(SETPRIV)
  const joins = groups.length > 0 && hasSetpriv
  // the kernel then kills the guest when this process dies
  const setpriv = hasSetpriv
    ? [
        SETPRIV,
        ...(joins && identity !== null ? becoming(identity) : []),
        ...(diesWithParent ? [] : ['--pdeathsig', 'KILL']),
        '--no-new-privs',
      ]
    : []
  const words = joins ? shell(JOIN, [...groups, '--', ...setpriv, ...run]) : [...setpriv, ...run]
  const [first = '/bin/sh', ...rest] = words
  // joining a control group needs the rights of this process
  return { command: first, args: rest, user: joins ? null : identity, owner: identity }
}
