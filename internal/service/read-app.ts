/** Reads and bundles an app's files: the part of a deployment that needs no database. */
import { type AppFiles, contentHash, isVendored } from '#bundle/app-files.ts'
import { type BundledEntry, bundleEntries } from '#bundle/bundle-entries.ts'
import { type BundledFunction, bundleFunctions } from '#bundle/bundle-functions.ts'
import { FUNCTIONS_FOLDER } from '#bundle/function-files.ts'
import { MANIFEST_NAMES } from '#core/app-folders.ts'
import type { DeployPolicy } from '#core/deploy-policy.ts'
import { AppError, type AppErrorOptions, type ErrorDetail } from '#core/error.ts'
import { type Manifest, parseManifest } from '#core/manifest.ts'
import { readAppFunctions } from './functions/deploy-functions.ts'
import type { FetchedPackage } from './packages/fetch-packages.ts'
import { withPackages } from './packages/unpack-packages.ts'

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
}>

/** Returns warnings, such as missing optional packages. */
export const warningsOf = ({
  entries,
  functions,
}: Pick<ReadApp, 'entries' | 'functions'>): readonly ErrorDetail[] =>
  [...entries, ...(functions ?? []).map(({ entry }) => entry)].flatMap(({ warnings }) => warnings)

type Why = Pick<AppErrorOptions, 'details' | 'cause'>

const refuse = (code: string, message: string, why: Why = {}): AppError =>
  new AppError('unprocessable', message, { code, ...why })

/**
 * Reads an app.
 * @param policy what the operator allows in this workspace
 * @param packages what the app needs and does not contain
 * @throws {AppError} unprocessable: manifest or code, with every fault in `details`
 */
export const readApp = async (
  files: AppFiles,
  policy: DeployPolicy,
  packages: readonly FetchedPackage[] = [],
): Promise<ReadApp> => {
  const manifest = readManifest(files, policy)
  return withPackages(packages, (fetched) => bundleApp({ manifest, own: files, fetched, policy }))
}

type AppParts = Readonly<{
  manifest: Manifest
  own: AppFiles
  fetched: AppFiles
  policy: DeployPolicy
}>

const bundleApp = async ({ manifest, own, fetched, policy }: AppParts): Promise<ReadApp> => {
  const files = fetched.size === 0 ? own : new Map([...own, ...fetched])
  const entrypoints = manifest.actions.map(({ entrypoint }) => entrypoint)
  const hasFunctions = [...own.keys()].some((path) => path.startsWith(FUNCTIONS_FOLDER))
  const functionSources = hasFunctions ? readAppFunctions(own, policy) : null
  const entries = await bundleEntries(files, entrypoints)
  const functions = functionSources === null ? null : await bundleFunctions(functionSources, files)
  const sources = keptFiles(files, [...entries, ...(functions ?? []).map(({ entry }) => entry)])
  return { manifest, entries, functions, sources, hash: await contentHash(sources) }
}

const keptFiles = (files: AppFiles, entries: readonly BundledEntry[]): AppFiles => {
  const opened = new Set(entries.flatMap(({ sources }) => sources))
  return new Map([...files].filter(([path]) => !isVendored(path) || opened.has(path)))
}

/**
 * Reads the manifest of an app.
 * @param policy null to skip the operator's rules
 * @throws {AppError} unprocessable `no_manifest`, `bad_manifest`
 */
export const readManifest = (files: AppFiles, policy: DeployPolicy | null = null): Manifest => {
  const [name, second] = MANIFEST_NAMES.filter((known) => files.has(known))
  if (name === undefined) throw refuse('no_manifest', explainMissing(files))
  if (second !== undefined) {
    throw refuse('bad_manifest', `The app has both ${name} and ${second}. Keep one of them.`)
  }
  const parsed = parseManifest(decode(files.get(name), name), name, policy)
  if (parsed.ok) return parsed.manifest
  const count = parsed.faults.length
  const message = `${name} has ${count === 1 ? 'a fault' : `${count} faults`}.`
  throw refuse('bad_manifest', message, { details: parsed.faults })
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
