/** Reads and bundles an app's files: the part of a deployment that needs no database. */
import { type AppFiles, isVendored } from '#bundle/app-files.ts'
import { type BundledEntry, bundleEach, missingEntries } from '#bundle/bundle-entries.ts'
import { unbundlable } from '#bundle/bundle-faults.ts'
import { type BundledFunction, bundleEachFunction } from '#bundle/bundle-functions.ts'
import type { FileLookup } from '#bundle/file-lookup.ts'
import { FUNCTIONS_FOLDER, type FunctionSource } from '#bundle/function-files.ts'
import { contentHash } from '#bundle/hash-files.ts'
import { MANIFEST_NAMES } from '#core/deploy/app-folders.ts'
import type { DeployPolicy } from '#core/deploy/policy.ts'
import { collectRefusals, type Refusals } from '#core/deploy/refusals.ts'
import { AppError, type AppErrorOptions, type ErrorDetail, unprocessable } from '#core/error.ts'
import { MAX_FAULTS } from '#core/manifest/fault.ts'
import { type Manifest, type ManifestResult, parseManifest } from '#core/manifest/manifest.ts'
import type { Deps } from '../deps.ts'
import { readAppFunctions } from '../functions/deploy-functions.ts'
import type { FetchedPackage } from '../packages/fetch-packages.ts'
import { withPackages } from '../packages/unpack-packages.ts'

/** An app that passed all checks. */
export type ReadApp = Readonly<{
  manifest: Manifest
  entries: readonly BundledEntry[]
  /** Null if the app has no `functions` folder. */
  functions: readonly BundledFunction[] | null
  /** The app's own files, and the node_modules files that its bundles contain. */
  sources: AppFiles
  /** Hash of the sources, `sha256:<hex>`. */
  hash: string
  /** What the manifest allows and fails when it runs. */
  warnings: readonly ErrorDetail[]
}>

/**
 * Returns the warnings of the manifest and of the code, such as missing optional packages, each once, because several entries may
 * contain the same file.
 */
export const warningsOf = ({
  entries,
  functions,
  warnings: ofManifest,
}: Pick<ReadApp, 'entries' | 'functions' | 'warnings'>): readonly ErrorDetail[] => {
  const bundled = [...entries, ...(functions ?? []).map(({ entry }) => entry)]
  const all = [...ofManifest, ...bundled.flatMap(({ warnings }) => warnings)]
  return [...new Map(all.map((one) => [`${one.path} ${one.message}`, one])).values()]
}

/** An app as far as its size is concerned. */
export type SizedApp = Readonly<{
  sources: AppFiles
  entries: readonly Readonly<{ packedBytes: number }>[]
  functions: readonly Readonly<{ entry: Readonly<{ packedBytes: number }> }>[] | null
}>

/** Returns the bytes of an app's files and bundles, which are in memory until it is deployed. */
export const bytesOfApp = ({ sources, entries, functions }: SizedApp): number => {
  const bundles = [...entries, ...(functions ?? []).map(({ entry }) => entry)]
  const sizes = [...sources.values()].map(({ length }) => length)
  return [...sizes, ...bundles.map(({ packedBytes }) => packedBytes)].reduce((a, b) => a + b, 0)
}

type Why = Pick<AppErrorOptions, 'details' | 'cause'>

const refuse = (code: string, message: string, why: Why = {}): AppError =>
  unprocessable(message, { code, ...why })

type ManifestDeps = Pick<Deps, 'manifests'>

type AppToRead = Readonly<{
  ws: string
  files: AppFiles
  /** What the operator allows in this workspace. */
  policy: DeployPolicy
  /** Fetches what the app needs and does not contain. @default nothing */
  fetchPackages?: () => Promise<readonly FetchedPackage[]>
  /** Returns why the app may not have this key; null if it may. @default any key */
  refuseKey?: (key: string) => AppError | null
}>

/**
 * Reads an app. Manifest, functions, packages and code are checked even if another of them is refused.
 * @throws {AppError} unprocessable, with every fault in `details`, sorted by file; unavailable; bad_gateway
 */
export const readApp = async (deps: ManifestDeps, app: AppToRead): Promise<ReadApp> => {
  const { ws, files, fetchPackages = async () => [] } = app
  const refusals = collectRefusals()
  const { accepted, entrypoints } = await checkManifest(deps, app, refusals)
  const functions = hasFunctions(files)
    ? await refusals.keep(FUNCTIONS_FOLDER, () => readAppFunctions(deps, app))
    : null
  refusals.add(FUNCTIONS_FOLDER, functions?.refusal ?? null)
  const parts = { ws, own: files, entrypoints, functions: functions?.functions ?? null, refusals }
  const packages = await refusals.keep(PACKAGES, fetchPackages)
  const code =
    packages === null
      ? refuseMissing(parts)
      : await refusals.keep(PACKAGES, () =>
          withPackages(packages, (fetched) => bundleApp(parts, fetched), ws),
        )
  refusals.throwAny()
  if (accepted === null || code === null) throw new Error('An app without faults was not read.')
  return { ...code, manifest: accepted.manifest, warnings: accepted.warnings ?? [] }
}

/** What a refusal concerns, if it names no place itself. */
const PACKAGES = 'packages'
const CODE = 'code'

const hasFunctions = (files: AppFiles): boolean =>
  [...files.keys()].some((path) => path.startsWith(FUNCTIONS_FOLDER))

type CheckedManifest = Readonly<{
  accepted: Accepted | null
  /** Files that its actions name, as far as they could be read. */
  entrypoints: readonly string[]
}>

const checkManifest = async (
  deps: ManifestDeps,
  { refuseKey, ...app }: AppToRead,
  refusals: Refusals,
): Promise<CheckedManifest> => {
  const read = await refusals.keep(MANIFEST_NAMES[0], () => parseManifestOf(deps, app))
  if (read === null) return { accepted: null, entrypoints: [] }
  const { parsed, file } = read
  if (parsed.ok) refusals.add(file, refuseKey?.(parsed.manifest.key) ?? null)
  else refusals.add(file, refuseManifest(file, parsed.faults))
  return { accepted: parsed.ok ? parsed : null, entrypoints: entrypointsOf(parsed) }
}

const entrypointsOf = (parsed: ManifestResult): readonly string[] =>
  parsed.ok
    ? parsed.manifest.actions.map(({ entrypoint }) => entrypoint)
    : (parsed.entrypoints ?? [])

type AppParts = Readonly<{
  ws: string
  own: AppFiles
  entrypoints: readonly string[]
  functions: readonly FunctionSource[] | null
  refusals: Refusals
}>

/** Refuses what is missing whatever the packages contain. */
const refuseMissing = ({ own, entrypoints, refusals }: AppParts): null => {
  const missing = missingEntries(own, entrypoints)
  if (missing.length > 0) refusals.add(CODE, unbundlable(missing))
  return null
}

type Code = Omit<ReadApp, 'manifest' | 'warnings'>

const bundleApp = async (
  { ws, own, entrypoints, functions, refusals }: AppParts,
  fetched: AppFiles,
): Promise<Code | null> => {
  const files = fetched.size === 0 ? own : new Map([...own, ...fetched])
  const actions = await bundleEach(files, entrypoints, ws)
  // others wait for a bundler that gives up
  const ofFunctions =
    functions === null || actions.gaveUp ? null : await bundleEachFunction(functions, files, ws)
  const faults = [...actions.faults, ...(ofFunctions?.faults ?? [])]
  if (faults.length > 0) refusals.add(CODE, unbundlable(faults))
  if (refusals.hasAny()) return null
  const { entries } = actions
  const bundled = ofFunctions?.functions ?? null
  const sources = keptFiles(files, [...entries, ...(bundled ?? []).map(({ entry }) => entry)])
  return { entries, functions: bundled, sources, hash: await contentHash(sources) }
}

const keptFiles = (files: AppFiles, entries: readonly BundledEntry[]): AppFiles => {
  const opened = new Set(entries.flatMap(({ sources }) => sources))
  return new Map([...files].filter(([path]) => !isVendored(path) || opened.has(path)))
}

type ManifestToRead = Readonly<{ ws: string; files: AppFiles; policy: DeployPolicy }>
type ReadManifest = Readonly<{ parsed: ManifestResult; file: string }>

/** @throws {AppError} unprocessable: no text of a manifest; unavailable */
const parseManifestOf = async (
  { manifests }: ManifestDeps,
  { ws, files, policy }: ManifestToRead,
): Promise<ReadManifest> => {
  const { text, file } = manifestText(files)
  return { parsed: await manifests.readApp(ws, { text, file, policy }), file }
}

/** Reads a manifest without the operator's rules, for commands, which may block. @throws {AppError} unprocessable */
export const readManifest = (
  files: FileLookup,
): Readonly<{ manifest: Manifest; warnings: readonly ErrorDetail[] }> => {
  const { text, file } = manifestText(files)
  const parsed = parseManifest(text, file)
  if (parsed.ok) return { manifest: parsed.manifest, warnings: parsed.warnings ?? [] }
  const missing = missingEntries(files, parsed.entrypoints ?? [])
  throw refuseManifest(file, [...parsed.faults, ...missing].slice(0, MAX_FAULTS))
}

/** Lists the files that the actions name, whatever faults the manifest has. It may block. */
export const readEntrypoints = (files: FileLookup): readonly string[] => {
  try {
    const { text, file } = manifestText(files)
    return entrypointsOf(parseManifest(text, file))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return []
  }
}

const manifestText = (files: FileLookup): Readonly<{ text: string; file: string }> => {
  const [file, second] = MANIFEST_NAMES.filter((known) => files.has(known))
  if (file === undefined) throw refuse('no_manifest', explainMissing(files))
  if (second !== undefined) {
    throw refuse('bad_manifest', `The app has both ${file} and ${second}. Keep one of them.`)
  }
  return { text: decode(files.get(file), file), file }
}

type Accepted = Extract<ManifestResult, { ok: true }>

const refuseManifest = (file: string, faults: readonly ErrorDetail[]): AppError => {
  const count = faults.length
  const message = `${file} has ${count === 1 ? 'a fault' : `${count} faults`}.`
  return refuse('bad_manifest', message, { details: faults })
}

/** Explains a missing manifest, with a hint for the two common mistakes. */
const explainMissing = (files: FileLookup): string => {
  const missing = 'There is no app.yaml or app.json at the root of the app.'
  if (files.has('app.yml')) return `${missing} Rename app.yml to app.yaml.`
  const deeper = [...files.keys()].find((path) => /^[^/]+\/app\.(?:yaml|json)$/.test(path))
  if (deeper === undefined) return missing
  return `${missing} There is ${deeper}: pack the inside of that folder, not the folder.`
}

const decode = (bytes: Uint8Array | undefined, name: string): string => {
  try {
    // TextDecoder removes a byte order mark
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw refuse('bad_manifest', `${name} is not UTF-8. Save it as UTF-8.`, { cause })
  }
}
