/**
 * Builds the command line that confines a program by bubblewrap: its own namespaces of every kind,
 * a read-only root that holds only the listed paths, no capabilities, no network. These arguments
 * are the confinement, so bubblewrap-args.test.ts compares them with a fixed list.
 */
import { execFile, execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isExecutable } from './is-executable.ts'

const run = promisify(execFile)

/** A path of the host that is visible inside, read-only. */
export type Bind = Readonly<{ from: string; to: string }>

export type Confinement = Readonly<{
  binds: readonly Bind[]
  /** Paths that the program may write to. @default none */
  writableBinds?: readonly Bind[]
  /** The complete environment. Every user of the machine can read it in the arguments. */
  env: Readonly<Record<string, string>>
  /** Whether the program also gets the environment of bubblewrap. @default false */
  inheritsEnv?: boolean
  /** Megabytes that its temporary folder, /tmp, may hold. The folder is in memory. */
  temporaryMb: number
  /** The descriptor from which bubblewrap reads the system call filter. @default no filter */
  filterDescriptor?: number
  /** Whether the program shares the host's network. @default false: it has only its own loopback */
  network?: boolean
  command: readonly string[]
}>

/** The first version with --size and --disable-userns. */
const OLDEST = { major: 0, minor: 8 } as const
const MIB = 1_048_576
/** The only user inside: one without rights. */
const INSIDE_ID = '65534'

const PLACES = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'] as const

/** @returns the path of a program, or null if it is in none of the folders where systems keep programs for all users */
export const findProgram = (name: string): string | null =>
  PLACES.map((folder) => join(folder, name)).find(isExecutable) ?? null

/** @param text what `bwrap --version` prints @returns a sentence if this bubblewrap is too old, else null */
export const versionFault = (path: string, text: string): string | null => {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? []
  const isNew =
    Number(major) > OLDEST.major ||
    (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor)
  return isNew ? null : `${path} is ${text.trim()}; svc needs 0.8 or newer.`
}

const startFault = (path: string, error: unknown): string =>
  `${path} does not start: ${error instanceof Error ? error.message : String(error)}`

/** @returns a sentence if this bubblewrap is too old or does not start, else null */
export const bubblewrapFault = (path: string): string | null => {
  try {
    return versionFault(path, execFileSync(path, ['--version'], { encoding: 'utf8', env: {} }))
  } catch (error) {
    return startFault(path, error)
  }
}

const findBubblewrapFault = async (path: string): Promise<string | null> => {
  try {
    return versionFault(
      path,
      (await run(path, ['--version'], { encoding: 'utf8', env: {} })).stdout,
    )
  } catch (error) {
    return startFault(path, error)
  }
}

/** Empty for a program without shared libraries. If that is wrong, the probe at start fails. */
const listLibraries = (program: string): string => {
  try {
    return execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}

const toBinds = (listed: string): readonly Bind[] => {
  const paths = [...listed.matchAll(/(?:=> |^\s*)(\/\S+)/gm)].flatMap(([, path]) => path ?? [])
  return [...new Set(paths)].map((path) => ({ from: path, to: path }))
}

/**
 * The shared libraries of a program, each at the path where the loader looks for it, so that the program
 * needs no other files of the host. Only for programs that we trust, because ldd may run them.
 */
export const librariesOf = (program: string): readonly Bind[] => toBinds(listLibraries(program))

/** The facts about this machine that are needed to confine a program. */
export type MachineFacts = Readonly<{
  /** Why bubblewrap cannot be used, or null. */
  fault: string | null
  /** The libraries of the program. */
  libraries: readonly Bind[]
}>

/** Finds the same as `bubblewrapFault` and `librariesOf`, but concurrently and without blocking this thread. */
export const findMachineFacts = async (
  bwrapPath: string,
  program: string,
): Promise<MachineFacts> => {
  const [fault, libraries] = await Promise.all([
    findBubblewrapFault(bwrapPath),
    run('ldd', [program], { encoding: 'utf8' }).then(
      ({ stdout }) => toBinds(stdout),
      () => [],
    ),
  ])
  return { fault, libraries }
}

const libraryPath = (binds: readonly Bind[]): Readonly<Record<string, string>> => {
  const folders = new Set(binds.filter(({ to }) => /\.so\b/.test(to)).map(({ to }) => dirname(to)))
  // inside, the loader has no cache of non-standard folders
  return folders.size === 0 ? {} : { LD_LIBRARY_PATH: [...folders].join(':') }
}

/** The arguments of bwrap. Pure. */
export const bubblewrapArgs = (confinement: Confinement): readonly string[] => [
  '--unshare-all',
  ...(confinement.network === true ? ['--share-net'] : []),
  '--unshare-user',
  '--disable-userns',
  ...['--uid', INSIDE_ID, '--gid', INSIDE_ID],
  ...['--cap-drop', 'ALL'],
  '--die-with-parent',
  '--new-session',
  ...(confinement.inheritsEnv === true ? [] : ['--clearenv']),
  ...['--hostname', 'job'],
  // first, because other binds may be below /tmp on this host
  ...['--size', String(confinement.temporaryMb * MIB), '--tmpfs', '/tmp'],
  ...confinement.binds.flatMap(({ from, to }) => ['--ro-bind', from, to]),
  ...['--proc', '/proc'],
  // a few kernels allow writes to these files through a user namespace
  ...['--ro-bind', '/proc/sys', '/proc/sys'],
  ...['--dev', '/dev'],
  ...['--remount-ro', '/dev'],
  ...(confinement.writableBinds ?? []).flatMap(({ from, to }) => ['--bind', from, to]),
  // bubblewrap's root is an in-memory file system without a size limit
  ...['--remount-ro', '/'],
  ...['--chdir', '/tmp'],
  ...Object.entries({ ...libraryPath(confinement.binds), ...confinement.env }).flatMap(
    ([name, value]) => ['--setenv', name, value],
  ),
  ...(confinement.filterDescriptor === undefined
    ? []
    : ['--seccomp', String(confinement.filterDescriptor)]),
  '--',
  ...confinement.command,
]
