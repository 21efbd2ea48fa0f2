/**
 * Fetches the packages of an app from registries, or takes them from the cache. Guarantees: it returns only content
 * with the hash of the lock file; it runs no script of a package; it sends a token only to the registry that the
 * app's .npmrc names for it.
 */

import { MAX_VENDORED_BYTES } from '#bundle/app-files.ts'
import type { FileLookup } from '#bundle/file-lookup.ts'
import { hasIntegrity, type PackageCache } from '#bundle/package-cache.ts'
import { createSharedGate } from '#core/fairness/shared-gate.ts'
import { isGranted, parseEgressGrants } from '#core/network/egress-grant.ts'
import type { Integrity } from '#core/packages/integrity.ts'
import type { LockedPackage } from '#core/packages/lock-file.ts'
import { type Npmrc, parseNpmrc } from '#core/packages/npmrc.ts'
import { packageFault } from '#core/packages/package-fault.ts'
import { type NpmSpecifier, npmFolder } from '#core/packages/package-specifier.ts'
import { tarballAddress } from '#core/packages/tarball-address.ts'
import type { PrivatePlace } from '#outbound/address-guard.ts'
import {
  openRegistrySession,
  type RegistryOptions,
  type RegistrySession,
} from '#outbound/fetch-from-registry.ts'
import { takeTurn } from '../portions/take-turn.ts'
import { createVersionLookUp, type VersionLookUp } from './look-up-version.ts'
import type { PackageSource } from './package-source.ts'
import { type PlannedPackage, planPackages } from './plan-packages.ts'

export type PackageSettings = RegistryOptions &
  Readonly<{
    /** SVC_NPM_REGISTRY; null when it is off. */
    registry: string | null
    /** Null to fetch everything. */
    cache: PackageCache | null
    /** Whether the addresses are such that no grant may open them. @default link-local addresses and the like */
    isReserved?: (addresses: readonly string[], port: number) => Promise<boolean>
  }>

export type PackageApp = Readonly<{
  files: FileLookup
  /** Separates the packages of private registries: the workspace. */
  owner: string
  /** Returns the value of a variable that .npmrc names, or null. */
  readVariable: (name: string) => Promise<string | null>
  /** Reads which private destinations the registries of .npmrc may have. */
  readGrants: () => Promise<readonly string[]>
}>

/** The tarball of a package, checked against its hash. */
export type FetchedPackage = Readonly<{
  /** For messages, such as `zod@4.0.0`. */
  what: string
  /** Folder in the app, such as `node_modules/zod`. */
  folder: string
  bytes: Uint8Array
}>

/** @throws {AppError} bad_gateway `registry_unreachable`; unprocessable, naming the package */
export type FetchPackages = (app: PackageApp) => Promise<readonly FetchedPackage[]>

/** Milliseconds for all packages of a deployment. */
const MAX_TIME_MS = 60_000

/** Packages that one deployment fetches at once. */
const AT_ONCE = 24

const TARBALL = 'application/octet-stream, */*'

type Wanted = Readonly<{
  what: string
  folder: string
  url: string
  integrity: Integrity
  source: PackageSource
}>

const OFF =
  'This svc fetches no packages (SVC_NPM_REGISTRY=off). Deploy the app with its node_modules folder.'

const createSources = (
  { registry }: PackageSettings,
  { owner, readVariable }: PackageApp,
  npmrc: Npmrc,
): ((name: string) => Promise<PackageSource>) => {
  return async (name) => {
    if (registry === null) throw packageFault('registry_off', `${name} is needed. ${OFF}`)
    const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')).toLowerCase() : ''
    const own = npmrc.get(scope)
    if (own === undefined) return { registry, token: null, isTrusted: true, owner: '' }
    const { url, tokenVariable } = own
    const token = tokenVariable === null ? null : await readVariable(tokenVariable)
    if (tokenVariable !== null && token === null) {
      throw packageFault(
        'bad_npmrc',
        `.npmrc names the variable ${tokenVariable} for ${name}, which is not set: a server reads it from the variables of the workspace, the commands of svc from the environment.`,
      )
    }
    return { registry: url, token, isTrusted: false, owner }
  }
}

const label = ({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string =>
  `${name}@${version}`

const toWanted = ({ folder, locked, lockFile }: PlannedPackage, source: PackageSource): Wanted => {
  const what = label(locked)
  const url = locked.linkTo === null ? tarballAddress(locked, source.registry) : null
  if (url === null) {
    const { name, linkTo } = locked
    const remedy = linkTo === null ? 'copy its code into lib/' : 'deploy a folder that contains it'
    throw packageFault(
      'bad_lock_file',
      `${lockFile} takes ${name} from a folder, git or an address. svc fetches packages from a registry only; ${remedy}.`,
    )
  }
  if (locked.integrity === null) {
    throw packageFault(
      'bad_lock_file',
      `${lockFile} has no hash ("integrity") of ${what}. Create it again with: npm install`,
    )
  }
  return { what, folder, url, integrity: locked.integrity, source }
}

const npmToWanted = async (
  one: NpmSpecifier,
  source: PackageSource,
  lookUp: VersionLookUp,
): Promise<Wanted> => {
  const { integrity, resolved } = await lookUp(one, source)
  const url =
    tarballAddress({ ...one, resolved }, source.registry) ??
    tarballAddress({ ...one, resolved: null }, source.registry) ??
    ''
  return { what: label(one), folder: npmFolder(one), url, integrity, source }
}

type Fetching = Readonly<{ session: RegistrySession; cache: PackageCache | null }>

const fetchOne = async (
  { what, folder, url, integrity, source }: Wanted,
  { session, cache }: Fetching,
): Promise<FetchedPackage> => {
  const entry = { integrity, owner: source.owner }
  const cached = await cache?.find(entry, takeTurn)
  if (cached !== undefined && cached !== null) return { what, folder, bytes: cached }
  const { token, isTrusted } = source
  const bytes = await session.fetch({ url, what, token, isTrusted, accept: TARBALL })
  if (!(await hasIntegrity(bytes, integrity, takeTurn))) {
    throw packageFault(
      'package_hash_mismatch',
      `The registry sent a ${what} whose ${integrity.algorithm} hash differs from the lock file's. Nothing of it was used.`,
    )
  }
  await cache?.keep(entry, bytes)
  return { what, folder, bytes }
}

/** Runs tasks, `atOnce` of them at a time. @returns results in the order of the tasks @throws what the first one throws */
const runSome = async <T>(
  tasks: readonly (() => Promise<T>)[],
  atOnce: number,
): Promise<readonly T[]> => {
  const results: T[] = []
  const waiting = tasks.entries()
  const run = async (): Promise<void> => {
    for (const [at, task] of waiting) results[at] = await task()
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, run))
  return results
}

/** Whether every private address of a registry is granted, and none belongs to svc itself. */
const isGrantedTo = async (
  { readGrants }: PackageApp,
  { isReserved }: PackageSettings,
  { host, port, addresses }: PrivatePlace,
): Promise<boolean> => {
  const grants = parseEgressGrants(await readGrants())
  const areGranted = addresses.every((address) => isGranted(grants, { host, port, address }))
  return areGranted && (await isReserved?.(addresses, port)) !== true
}

const fetchAll = async (
  settings: PackageSettings,
  app: PackageApp,
  lookUpIn: ReturnType<typeof createVersionLookUp>,
): Promise<readonly FetchedPackage[]> => {
  const plan = await planPackages(app.files)
  const own = plan.locked.filter(({ locked }) => !locked.isBundled)
  if (own.length + plan.npm.length === 0) return []
  const sourceOf = createSources(settings, app, parseNpmrc(decode(app.files.get('.npmrc'))))
  const stop = new AbortController()
  const session = openRegistrySession(
    {
      ...settings,
      maxBytes: MAX_VENDORED_BYTES,
      isGranted: (place) => isGrantedTo(app, settings, place),
    },
    AbortSignal.any([stop.signal, AbortSignal.timeout(MAX_TIME_MS)]),
  )
  let bytes = 0
  const take = async (wanted: Wanted): Promise<FetchedPackage> => {
    const fetched = await fetchOne(wanted, { session, cache: settings.cache })
    bytes += fetched.bytes.length
    if (bytes <= MAX_VENDORED_BYTES) return fetched
    throw packageFault('too_many_packages', 'The packages of the app have more than 200 MiB.')
  }
  try {
    const tasks = [
      ...own.map((one) => async () => take(toWanted(one, await sourceOf(one.locked.name)))),
      ...plan.npm.map(
        (one) => async () =>
          take(await npmToWanted(one, await sourceOf(one.name), lookUpIn(session))),
      ),
    ]
    return await runSome(tasks, AT_ONCE)
  } finally {
    stop.abort()
    session.close()
  }
}

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

/** Deployments that fetch packages at once: those of all workspaces, and of one, so that one cannot block all. */
const DEPLOYMENTS = 4
const OF_WORKSPACE = 1

/** Creates the fetcher of a process. */
export const createFetchPackages = (settings: PackageSettings): FetchPackages => {
  const gate = createSharedGate(DEPLOYMENTS, OF_WORKSPACE)
  const lookUpIn = createVersionLookUp()
  return (app) => gate(app.owner, () => fetchAll(settings, app, lookUpIn))
}
