/** Reads a package-lock.json of npm 7 and newer (lockfileVersion 2 and 3). Pure. */
import { z } from 'zod'
import { isJsonObject } from '../json/value.ts'
import { hasMoreValuesThan } from '../json/values.ts'
import { limit } from '../limit.ts'
import { MAX_URL_LENGTH } from '../network/document-url.ts'
import { type Integrity, MAX_INTEGRITY_LENGTH, parseIntegrity } from './integrity.ts'
import { packageFault } from './package-fault.ts'

/** One package of the lock file. */
export type LockedPackage = Readonly<{
  /** Folder from the lock file's own folder, such as `node_modules/a/node_modules/b`. */
  path: string
  /** Name in the registry. For an alias it differs from the folder. */
  name: string
  version: string
  /** Address of the tarball as npm wrote it; null when the lock file leaves it out. */
  resolved: string | null
  integrity: Integrity | null
  /** Names of packages that it may import. */
  imports: readonly string[]
  /** Those of them without which it runs. */
  optionalPeers: ReadonlySet<string>
  /** Whether no production install has it, unless a package takes it as an optional peer. */
  isForDevelopment: boolean
  /** An optional package for some operating systems or processors only: machine code, which svc does not run. */
  isForPlatform: boolean
  /** Whether the package is in the tarball of the package above it. */
  isBundled: boolean
  /** The folder of the app to which a workspace or `file:` package points; null for other packages. */
  linkTo: string | null
}>

export type LockFile = Readonly<{
  /** By path. */
  packages: ReadonlyMap<string, LockedPackage>
  /** What the root requires: range by name. */
  wanted: Readonly<Record<string, string>>
}>

/** Lets other work run. A large lock file takes 0.5 s to read. */
export type Pause = () => Promise<void>

/** Reading this number of entries takes 2 ms. Finding this number of packages in deep folders takes 30 ms. */
const STEPS_PER_TURN = 200

const MAX_LOCK_VALUES = limit(
  'app.lock_values',
  100_000,
  'items',
  'Values, lists and objects in a `package-lock.json`. More: 422.',
)
const MAX_DEPENDENCIES = limit(
  'app.lock_dependencies',
  10_000,
  'items',
  'Dependencies of one package in a `package-lock.json`. More: 422.',
)
/** A path of an app is no longer. */
const MAX_PATH_LENGTH = 512
/** Names and versions are shown in messages; npm allows 214 and 256 characters. */
const shortText = z.string().max(256).optional()

const areRanges = (ranges: readonly unknown[]): boolean =>
  ranges.length <= MAX_DEPENDENCIES && ranges.every((range) => typeof range === 'string')

// a record of zod takes 5 µs for each range
const ranges = z
  .custom<Readonly<Record<string, string>>>(
    (value) => isJsonObject(value) && areRanges(Object.values(value)),
  )
  .optional()
const entry = z.looseObject({
  name: shortText,
  version: shortText,
  resolved: z.string().max(MAX_URL_LENGTH).optional(),
  integrity: z.string().max(MAX_INTEGRITY_LENGTH).optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  optional: z.boolean().optional(),
  os: z.unknown().optional(),
  cpu: z.unknown().optional(),
  libc: z.unknown().optional(),
  dev: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  peerDependenciesMeta: z.unknown().optional(),
  dependencies: ranges,
  devDependencies: ranges,
  optionalDependencies: ranges,
  peerDependencies: ranges,
})
type Entry = z.infer<typeof entry>
const lockFile = z.looseObject({
  lockfileVersion: z.number(),
  packages: z.custom<Readonly<Record<string, unknown>>>(isJsonObject),
})

/** The folder of a package, which never leads out of the app. */
const PACKAGE_PATH =
  /^(?:[^\\\0]*\/)?node_modules\/((?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~_][a-z0-9-._~]*)$/i
const REGISTRY_NAME = /^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~_][a-z0-9-._~]*$/i
const VERSION = /^\d+\.\d+\.\d+[0-9A-Za-z.+-]*$/

const refuse = (message: string, cause?: unknown) => packageFault('bad_lock_file', message, cause)

const parseJson = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refuse(`${path} is not JSON. Create it again with: npm install`, cause)
  }
}

const isPlain = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

const NONE: ReadonlySet<string> = new Set()

const optionalPeersOf = ({ peerDependenciesMeta: meta }: Entry): ReadonlySet<string> =>
  isJsonObject(meta)
    ? new Set(
        Object.entries(meta).flatMap(([name, one]) =>
          isJsonObject(one) && one.optional === true ? [name] : [],
        ),
      )
    : NONE

const toPackage = (path: string, given: Entry, file: string): LockedPackage | null => {
  const folderName = PACKAGE_PATH.exec(path)?.[1]
  // other entries are the sources of workspaces, which are files of the app
  if (folderName === undefined) return null
  const name = given.name ?? folderName
  if (path.length > MAX_PATH_LENGTH || !isPlain(path) || !REGISTRY_NAME.test(name)) {
    throw refuse(`${file} has an entry with a bad name: ${JSON.stringify(path.slice(0, 200))}.`)
  }
  const linkTo = given.link === true ? (given.resolved ?? '') : null
  const version = given.version ?? ''
  if (linkTo === null && given.inBundle !== true && !VERSION.test(version)) {
    throw refuse(`${file} has no version of ${name}. Create it again with: npm install`)
  }
  return {
    path,
    name,
    version,
    resolved: given.resolved ?? null,
    integrity: given.integrity === undefined ? null : parseIntegrity(given.integrity),
    imports: Object.keys({
      ...given.dependencies,
      ...given.optionalDependencies,
      ...given.peerDependencies,
    }),
    optionalPeers: optionalPeersOf(given),
    isForDevelopment: given.dev === true || given.devOptional === true,
    isForPlatform:
      given.optional === true && [given.os, given.cpu, given.libc].some((one) => one !== undefined),
    isBundled: given.inBundle === true,
    linkTo,
  }
}

/** Parses a lock file. @param path its path in the app, for messages @throws {AppError} unprocessable `bad_lock_file` */
export const parseLockFile = async (
  text: string,
  path: string,
  pause: Pause,
): Promise<LockFile> => {
  const notOne = () =>
    refuse(`${path} is not a lock file of npm 7 or newer. Create it again with: npm install`)
  if (hasMoreValuesThan(text, MAX_LOCK_VALUES)) {
    throw refuse(`${path} has more than ${MAX_LOCK_VALUES} values. Remove packages from the app.`)
  }
  const parsed = lockFile.safeParse(parseJson(text, path))
  if (!parsed.success || ![2, 3].includes(parsed.data.lockfileVersion)) throw notOne()
  await pause()
  const packages = new Map<string, LockedPackage>()
  let root: Entry | null = null
  let steps = 0
  for (const [place, value] of Object.entries(parsed.data.packages)) {
    const given = entry.safeParse(value)
    if (!given.success) throw notOne()
    if (place === '') root = given.data
    const found = toPackage(place, given.data, path)
    if (found !== null) packages.set(place, found)
    steps += 1
    if (steps % STEPS_PER_TURN === 0) await pause()
  }
  return {
    packages,
    wanted: { ...root?.devDependencies, ...root?.optionalDependencies, ...root?.dependencies },
  }
}

/** Finds a package as Node does: from a folder upwards. @param from a folder, empty for the root */
export const findLocked = (
  { packages }: LockFile,
  from: string,
  name: string,
): LockedPackage | null => {
  const parts = from === '' ? [] : from.split('/')
  for (let length = parts.length; length >= 0; length -= 1) {
    if (parts[length - 1] === 'node_modules') continue
    const found = packages.get([...parts.slice(0, length), 'node_modules', name].join('/'))
    if (found !== undefined) return found
  }
  return null
}

/** The folder and name of a package that a workspace has for itself, in another version than the root. */
const OF_WORKSPACE = /^((?:(?!node_modules\/)[^/]+\/)+)node_modules\/((?:@[^/]+\/)?[^/]+)$/

/**
 * Returns the packages that these names reach, each once.
 * @param names imported from the root's folder, or from those of workspaces
 */
export const reachLocked = async (
  lock: LockFile,
  names: Iterable<string>,
  pause: Pause,
): Promise<ReadonlyMap<string, LockedPackage>> => {
  const reached = new Map<string, LockedPackage>()
  const imported = new Set(names)
  const waiting = [...imported].map((name) => ({ from: '', name, isOptional: false }))
  for (const path of lock.packages.keys()) {
    const [, from = '', name = ''] = OF_WORKSPACE.exec(path) ?? []
    if (imported.has(name)) waiting.push({ from: from.slice(0, -1), name, isOptional: false })
  }
  let steps = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    steps += 1
    if (steps % STEPS_PER_TURN === 0) await pause()
    const one = findLocked(lock, next.from, next.name)
    if (one === null || one.isForPlatform || reached.has(one.path)) continue
    // prisma is such a tool of @prisma/client, of 200 MiB
    if (next.isOptional && one.isForDevelopment) continue
    reached.set(one.path, one)
    for (const name of one.imports) {
      waiting.push({ from: one.path, name, isOptional: one.optionalPeers.has(name) })
    }
  }
  return reached
}
