/**
 * Starts a program confined by bubblewrap: namespaces of its own for everything, a
 * root that holds only what is named here and is read-only, no capabilities, no network. The list of arguments is what
 * confines, so bubblewrap-args.test.ts compares it with a fixed one.
 */
import { execFile, execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A path of the host that is visible inside, read-only. */
export type Bind = Readonly<{ from: string; to: string }>

export type Confinement = Readonly<{
  binds: readonly Bind[]
  /** Paths that it may change. @default none */
  writableBinds?: readonly Bind[]
  /** All of the environment. */
  env: Readonly<Record<string, string>>
  /** Megabytes that its temporary folder, /tmp, may hold: it is memory. */
  temporaryMb: number
  /** Where the filter of system calls is open for reading. @default no filter */
  filterDescriptor?: number
  /** Whether it has the host's network. @default false: none but its own loopback */
  network?: boolean
  command: readonly string[]
}>

/** --size and --disable-userns came with it. */
const OLDEST = { major: 0, minor: 8 } as const
const MB = 1_048_576
/** The only user inside is the one without rights. */
const INSIDE_ID = '65534'

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const PLACES = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'] as const

/** @returns the path of a program, or null if it is in none of the folders where systems keep programs for all users */
export const findProgram = (name: string): string | null =>
  PLACES.map((folder) => join(folder, name)).find(isExecutable) ?? null

/** @param text what `bwrap --version` prints @returns a sentence when this bubblewrap is too old, else null */
export const versionFault = (path: string, text: string): string | null => {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? []
  const isNew =
    Number(major) > OLDEST.major ||
    (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor)
  return isNew ? null : `${path} is ${text.trim()}; svc needs 0.8 or newer.`
}

const startFault = (path: string, error: unknown): string =>
  `${path} does not start: ${error instanceof Error ? error.message : String(error)}`

/** A sentence when this bubblewrap is too old or does not start, else null. */
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

/** Empty for a program without shared libraries; the probe at start finds out when that is wrong. */
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
 * The shared libraries of a program, each at the path where its loader finds it, so that it needs nothing else of the
 * host's. Only for programs that we trust: ldd may run them.
 */
export const librariesOf = (program: string): readonly Bind[] => toBinds(listLibraries(program))

/** What must be known of this machine to confine a program. */
export type MachineFacts = Readonly<{
  /** Why bubblewrap cannot be used, or null. */
  fault: string | null
  /** The libraries of the program. */
  libraries: readonly Bind[]
}>

/** Finds by two programs at once what `bubblewrapFault` and `librariesOf` find one after the other, while this process works on. */
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
  // the loader's cache of unusual folders does not exist inside
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
  '--clearenv',
  ...['--hostname', 'job'],
  // before what may lie below it on this host
  ...['--size', String(confinement.temporaryMb * MB), '--tmpfs', '/tmp'],
  ...confinement.binds.flatMap(({ from, to }) => ['--ro-bind', from, to]),
  ...['--proc', '/proc'],
  // with few kernels its files may be written through a user namespace
  ...['--ro-bind', '/proc/sys', '/proc/sys'],
  ...['--dev', '/dev'],
  ...['--remount-ro', '/dev'],
  ...(confinement.writableBinds ?? []).flatMap(({ from, to }) => ['--bind', from, to]),
  // bubblewrap's own root is a file system in memory, without bound
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
