/** Reads and bundles an app's files: the part of a deployment that needs no database. */
import { type AppFiles, contentHash, isVendored } from '#bundle/app-files.ts'
import { type BundledEntry, bundleEntries, missingEntries } from '#bundle/bundle-entries.ts'
import { type BundledFunction, bundleFunctions } from '#bundle/bundle-functions.ts'
import { FUNCTIONS_FOLDER } from '#bundle/function-files.ts'
import { MANIFEST_NAMES } from '#core/deploy/app-folders.ts'
import type { DeployPolicy } from '#core/deploy/policy.ts'
import {
  type AppError,
  type AppErrorOptions,
  type ErrorDetail,
  unprocessable,
} from '#core/error.ts'
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

type Why = Pick<AppErrorOptions, 'details' | 'cause'>

const refuse = (code: string, message: string, why: Why = {}): AppError =>
  unprocessable(message, { code, ...why })

type ManifestDeps = Pick<Deps, 'manifests'>

type AppToRead = Readonly<{
  ws: string
  files: AppFiles
  /** What the operator allows in this workspace. */
  policy: DeployPolicy
  /** What the app needs and does not contain. @default none */
  packages?: readonly FetchedPackage[]
}>

/**
 * Reads an app.
 * @throws {AppError} unprocessable: manifest or code, with every fault in `details`; unavailable
 */
export const readApp = async (
  deps: ManifestDeps,
  { packages = [], ...app }: AppToRead,
): Promise<ReadApp> => {
  const parsed = await parseManifestOf(deps, app)
  const bundle = (fetched: AppFiles) => bundleApp(deps, { ...app, ...parsed, fetched })
  return withPackages(packages, bundle, app.ws)
}

type AppParts = Omit<AppToRead, 'packages'> & Accepted & Readonly<{ fetched: AppFiles }>

const bundleApp = async (
  deps: ManifestDeps,
  { ws, manifest, warnings = [], files: own, fetched, policy }: AppParts,
): Promise<ReadApp> => {
  const files = fetched.size === 0 ? own : new Map([...own, ...fetched])
  const entrypoints = manifest.actions.map(({ entrypoint }) => entrypoint)
  const hasFunctions = [...own.keys()].some((path) => path.startsWith(FUNCTIONS_FOLDER))
  const functionSources = hasFunctions
    ? await readAppFunctions(deps, { ws, files: own, policy })
    : null
  const entries = await bundleEntries(files, entrypoints, ws)
  const functions =
    functionSources === null ? null : await bundleFunctions(functionSources, files, ws)
  const sources = keptFiles(files, [...entries, ...(functions ?? []).map(({ entry }) => entry)])
  return { manifest, entries, functions, sources, hash: await contentHash(sources), warnings }
}

const keptFiles = (files: AppFiles, entries: readonly BundledEntry[]): AppFiles => {
  const opened = new Set(entries.flatMap(({ sources }) => sources))
  return new Map([...files].filter(([path]) => !isVendored(path) || opened.has(path)))
}

/**
 * Reads the manifest of an app for a server, which must not block.
 * @param app without a policy, the operator's rules are skipped
 * @throws {AppError} unprocessable `no_manifest`, `bad_manifest`; unavailable
 */
export const readManifestOf = async (deps: ManifestDeps, app: ManifestToRead): Promise<Manifest> =>
  (await parseManifestOf(deps, app)).manifest

type ManifestToRead = Readonly<{ ws: string; files: AppFiles; policy?: DeployPolicy }>

const parseManifestOf = async (
  { manifests }: ManifestDeps,
  { ws, files, policy }: ManifestToRead,
): Promise<Accepted> => {
  const { text, file } = manifestText(files)
  return accept(await manifests.readApp(ws, { text, file, policy: policy ?? null }), file, files)
}

/** Like `readManifestOf` without a policy, for commands, which may block. @throws {AppError} unprocessable */
export const readManifest = (files: AppFiles): Manifest => {
  const { text, file } = manifestText(files)
  return accept(parseManifest(text, file), file, files).manifest
}

const manifestText = (files: AppFiles): Readonly<{ text: string; file: string }> => {
  const [file, second] = MANIFEST_NAMES.filter((known) => files.has(known))
  if (file === undefined) throw refuse('no_manifest', explainMissing(files))
  if (second !== undefined) {
    throw refuse('bad_manifest', `The app has both ${file} and ${second}. Keep one of them.`)
  }
  return { text: decode(files.get(file), file), file }
}

type Accepted = Extract<ManifestResult, { ok: true }>

const accept = (parsed: ManifestResult, file: string, files: AppFiles): Accepted => {
  if (parsed.ok) return parsed
  const missing = missingEntries(files, parsed.entrypoints ?? [])
  const faults = [...parsed.faults, ...missing].slice(0, MAX_FAULTS)
  const count = faults.length
  const message = `${file} has ${count === 1 ? 'a fault' : `${count} faults`}.`
  throw refuse('bad_manifest', message, { details: faults })
}

/** Explains a missing manifest, with a hint for the two common mistakes. */
const explainMissing = (files: AppFiles): string => {
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
