/** Finds which packages an app needs that it does not contain: from its lock files and its `npm:` specifiers. */
import { type AppFiles, isVendored } from '#bundle/app-files.ts'
import type { FileLookup } from '#bundle/file-lookup.ts'
import { readPackage } from '#bundle/package-map.ts'
import { SDK } from '#bundle/resolve-import.ts'
import type { AppError } from '#core/error.ts'
import { isJsonObject } from '#core/json/value.ts'
import { limit } from '#core/limit.ts'
import {
  findLocked,
  type LockedPackage,
  type LockFile,
  parseLockFile,
  reachLocked,
} from '#core/packages/lock-file.ts'
import { packageFault } from '#core/packages/package-fault.ts'
import {
  isCode,
  isExactVersion,
  type MentionedPackages,
  mentionedPackages,
  type NpmSpecifier,
} from '#core/packages/package-specifier.ts'
import { fitsRange } from '#core/packages/version-range.ts'
import { createPace } from '../portions/pace.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** A package of a lock file, and the folder of the app into which it belongs. */
export type PlannedPackage = Readonly<{ folder: string; locked: LockedPackage; lockFile: string }>

export type PackagePlan = Readonly<{
  locked: readonly PlannedPackage[]
  /** Exact `npm:` specifiers that no lock file covers. */
  npm: readonly NpmSpecifier[]
}>

const MAX_PACKAGES = limit(
  'app.packages',
  2_000,
  'items',
  'Packages that a deployment fetches. More: 422.',
)

const LOCK_FILE = /^(functions\/[^/]+\/)?package-lock\.json$/

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

/** Returns the modules, and what package.json gives names of its own. */
const modulesOf = (files: FileLookup, paths: readonly string[], folder: string): Uint8Array[] =>
  paths
    .filter((path) => path.startsWith(folder) && isCode(path))
    .flatMap((path) => files.get(path) ?? [])
    .concat(new TextEncoder().encode(JSON.stringify(fieldOf(files, folder, 'imports'))))

const mentionedIn = (
  files: FileLookup,
  paths: readonly string[],
  folder: string,
): Promise<MentionedPackages> => mentionedPackages(modulesOf(files, paths, folder), createPace())

const isCovered = (lock: LockFile | null, name: string, range: unknown): boolean => {
  const locked = lock === null ? null : findLocked(lock, '', name)
  if (locked === null || typeof range !== 'string') return false
  return locked.linkTo !== null || fitsRange(locked.version, range) === true
}

/**
 * Refuses a lock file that is older than its package.json. As `npm ci`, it takes one whose root differs if the locked version fits.
 * @throws {AppError} unprocessable `bad_lock_file`
 */
const checkFresh = (files: FileLookup, folder: string, lock: LockFile): void => {
  const outdated = (name: string): AppError =>
    packageFault(
      'bad_lock_file',
      `${folder}package.json asks for another ${name} than ${folder}package-lock.json. Bring them together with: npm install`,
    )
  const dependencies = fieldOf(files, folder, 'dependencies')
  for (const [name, range] of Object.entries(dependencies)) {
    if (lock.wanted[name] === range || isCovered(lock, name, range)) continue
    throw outdated(name)
  }
}

/** Returns a field of a package.json. Faults of the file are left to the bundler. */
const fieldOf = (
  files: FileLookup,
  folder: string,
  field: 'dependencies' | 'imports',
): Readonly<Record<string, unknown>> => {
  const found = readPackage(files, folder.replace(/\/$/, ''))?.[field]
  return isJsonObject(found) ? found : {}
}

type Covered = Readonly<{ packages: readonly PlannedPackage[]; lock: LockFile | null }>

const planFolder = async (
  files: FileLookup,
  lockPath: string,
  mentioned: MentionedPackages,
): Promise<Covered> => {
  const folder = lockPath.slice(0, -'package-lock.json'.length)
  const lock = await parseLockFile(decode(files.get(lockPath)), lockPath, takeTurn)
  checkFresh(files, folder, lock)
  const byNpm = [...mentioned.npm.values()].map(({ name }) => name)
  const names = new Set([...mentioned.names, ...byNpm])
  // svc has its own, and a project installs it from a file for its editor and tests
  names.delete(SDK)
  const reached = await reachLocked(lock, names, takeTurn)
  // a workspace is found by its name (bundle/workspaces.ts)
  const isOwn = ({ linkTo }: LockedPackage): boolean =>
    linkTo !== null && files.has(`${folder}${linkTo}/package.json`)
  const sorted = [...reached.values()]
    .filter((one) => !isOwn(one))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const packages = sorted.map((locked) => ({
    folder: `${folder}${locked.path}`,
    locked,
    lockFile: lockPath,
  }))
  return { packages, lock }
}

/**
 * Plans the packages of an app. An app that contains any `node_modules` brings its own packages.
 * @throws {AppError} unprocessable `bad_lock_file`, `too_many_packages`
 */
export const planPackages = async (files: FileLookup): Promise<PackagePlan> => {
  const paths = [...files.keys()]
  if (paths.some(isVendored)) return { locked: [], npm: [] }
  const locked: PlannedPackage[] = []
  let rootLock: LockFile | null = null
  const inApp = await mentionedIn(files, paths, '')
  for (const lockPath of paths.filter((path) => LOCK_FILE.test(path)).sort()) {
    const folder = lockPath.slice(0, -'package-lock.json'.length)
    const mentioned = folder === '' ? inApp : await mentionedIn(files, paths, folder)
    const { packages, lock } = await planFolder(files, lockPath, mentioned)
    if (folder === '') rootLock = lock
    locked.push(...packages)
  }
  const npm = [...inApp.npm.values()].filter(
    ({ name, version }) => isExactVersion(version) && !isCovered(rootLock, name, version),
  )
  if (locked.length + npm.length > MAX_PACKAGES) {
    throw packageFault('too_many_packages', `An app fetches at most ${MAX_PACKAGES} packages.`)
  }
  return { locked, npm }
}

/** Whether an app needs packages that it does not contain. @throws {AppError} those of `planPackages` */
export const needsPackages = async (files: FileLookup): Promise<boolean> => {
  const { locked, npm } = await planPackages(files)
  return locked.length + npm.length > 0
}

/** Whether a deployment of these files fetches nothing. */
export const bringsItsPackages = (files: AppFiles): boolean => [...files.keys()].some(isVendored)
