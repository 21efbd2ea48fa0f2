/**
 * Bundles an app's entry files with esbuild, each into one module that imports only `node:` built-ins.
 *
 * It guarantees: files come from memory and resolution never leaves them, so an import of /etc/passwd finds nothing; no
 * configuration of the app (tsconfig, plugins, scripts of packages) is read or run; the same files make the same bundles.
 * On failure it throws AppError unprocessable `unbundlable`, with file, line and message of every fault in `details`.
 */

import type { BuildOptions, BuildResult, Message } from 'esbuild'
import { AppError, type ErrorDetail } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { type AppPlugin, appPlugin } from './app-plugin.ts'
import { type BundleGraph, optionalRequires, sourcesOf } from './bundle-graph.ts'
import { hashBundle } from './bundle-hash.ts'
import {
  COMPUTED_IMPORT,
  computedImports,
  explainPattern,
  FROM_APP,
  missingExportsOf,
} from './bundle-warnings.ts'
import { BundlerGaveUp, buildAlone } from './esbuild-service.ts'
import { type FileLookup, type OpenedFiles, recordOpened } from './file-lookup.ts'
import { PLACE_NAMES } from './module-place.ts'
import { explainNative, packageFolderOf, packageNameOf } from './native-addons.ts'
import { REQUIRE_PRELUDE } from './system-modules.ts'

export type BundledEntry = Readonly<{
  entrypoint: string
  /** SHA-256 of code and source map, hex. */
  hash: string
  code: string
  /** Source map as JSON; its sources are paths inside the app. */
  sourceMap: string
  /** Files of the app in the bundle, sorted, including the package.json of each package. */
  sources: readonly string[]
  /** Imports that fail at run time: optional packages that are missing, and names that are computed. */
  warnings: readonly ErrorDetail[]
  /** Names that the entry file imports from a module that does not export them. */
  missingExports: readonly string[]
}>

const MAX_CODE_BYTES = limit(
  'app.bundle_bytes',
  20 * 1_024 * 1_024,
  'bytes',
  'Bundle of one entry point.',
)
const MAX_TOTAL_BYTES = limit(
  'app.bundles_bytes',
  64 * 1_024 * 1_024,
  'bytes',
  'All bundles of a deployment together.',
)
/** Entries per esbuild run, which bounds its memory. */
const ENTRIES_AT_ONCE = 16
const MAX_DETAILS = 100

/** Bundles each entry point once. @param owner the workspace that waits for it @throws {AppError} unprocessable `unbundlable` */
export const bundleEntries = async (
  app: FileLookup,
  entrypoints: readonly string[],
  owner = '',
): Promise<readonly BundledEntry[]> => {
  const files = recordOpened(app)
  const work = { files, owner }
  const unique = [...new Set(entrypoints)]
  const missing = unique.filter((path) => !files.has(path))
  const faults: ErrorDetail[] = missing.map((path) => ({
    path,
    message: 'The manifest names this file, but the app does not contain it.',
  }))
  const present = unique.filter((path) => files.has(path))
  const entries: BundledEntry[] = []
  let total = 0
  for (let from = 0; from < present.length; from += ENTRIES_AT_ONCE) {
    const bundled = await bundleSome(work, present.slice(from, from + ENTRIES_AT_ONCE))
    entries.push(...bundled.entries)
    faults.push(...bundled.faults)
    total += bundled.entries.reduce((sum, { code }) => sum + code.length, 0)
    if (bundled.faults.includes(GAVE_UP)) break
    if (total > MAX_TOTAL_BYTES) {
      faults.push({ path: 'bundle', message: 'The bundled code of all actions exceeds 64 MiB.' })
      break
    }
  }
  if (faults.length > 0) throw unbundlable(faults)
  return entries
}

/** It ends the work on an app, because others wait for the bundler. */
const GAVE_UP: ErrorDetail = {
  path: 'bundle',
  message:
    'The bundler gave up on this code: it nests too deeply, needs too much memory, or takes longer than a minute.',
}

/** Builds the refusal of code, with all of its faults. */
export const unbundlable = (faults: readonly ErrorDetail[]): AppError => {
  // two entries that import one broken file report the same fault
  const unique = new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault]))
  return new AppError('unprocessable', 'The code of the app could not be bundled.', {
    code: 'unbundlable',
    details: [...unique.values()].slice(0, MAX_DETAILS),
  })
}

type Work = Readonly<{ files: OpenedFiles; owner: string }>
type Bundled = Readonly<{ entries: readonly BundledEntry[]; faults: readonly ErrorDetail[] }>

const bundleSome = async (work: Work, entrypoints: readonly string[]): Promise<Bundled> => {
  const { files, owner } = work
  const plugin = appPlugin(files)
  let result: Built
  try {
    result = await buildAlone((build) => build(optionsFor(plugin, entrypoints)), owner)
  } catch (error) {
    if (error instanceof BundlerGaveUp) return { entries: [], faults: [GAVE_UP] }
    const messages = errorsOf(error)
    if (messages === null) throw error
    if (entrypoints.length > 1) return bundleEach(work, entrypoints)
    return { entries: [], faults: messages.map((message) => toDetail(message, plugin)) }
  }
  const all = entrypoints.map((entrypoint, index) =>
    readOutput({ result, files }, entrypoint, index),
  )
  return {
    entries: all.flatMap((one) => ('hash' in one ? [one] : [])),
    faults: all.flatMap((one) => ('hash' in one ? [] : [one])),
  }
}

/** Bundles entries one by one: one fault fails a whole run, so this attributes each fault to its entry. */
const bundleEach = async (work: Work, entrypoints: readonly string[]): Promise<Bundled> => {
  const entries: BundledEntry[] = []
  const faults: ErrorDetail[] = []
  for (const entrypoint of entrypoints) {
    const bundled = await bundleSome(work, [entrypoint])
    entries.push(...bundled.entries)
    faults.push(...bundled.faults)
    if (bundled.faults.includes(GAVE_UP)) break
  }
  return { entries, faults }
}

type Built = BuildResult<{ write: false; metafile: true }>

const optionsFor = ({ plugin }: AppPlugin, entrypoints: readonly string[]) =>
  ({
    // numbered, because a.ts and a.js would get the same output name
    entryPoints: entrypoints.map((path, index) => ({ in: path, out: String(index) })),
    bundle: true,
    write: false,
    metafile: true,
    outdir: '/out',
    absWorkingDir: '/',
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    charset: 'utf8',
    // packages read NODE_ENV, and a job has no environment
    define: { 'process.env.NODE_ENV': '"production"', ...PLACE_NAMES },
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
    logLimit: 0,
    logOverride: { [COMPUTED_IMPORT]: 'warning' },
    tsconfigRaw: '{}',
    plugins: [plugin],
  }) satisfies BuildOptions

const errorsOf = (error: unknown): readonly Message[] | null =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : null

/** The function that esbuild emits when code requires something at run time. */
const REQUIRES_LATER = /^var __require = /m

const readOutput = (
  { result, files }: Readonly<{ result: Built; files: OpenedFiles }>,
  entrypoint: string,
  index: number,
): BundledEntry | ErrorDetail => {
  const code = result.outputFiles.find(({ path }) => path.endsWith(`/out/${index}.js`))
  const map = result.outputFiles.find(({ path }) => path.endsWith(`/out/${index}.js.map`))
  const facts = Object.entries(result.metafile.outputs).find(([path]) =>
    path.endsWith(`out/${index}.js`),
  )
  if (code === undefined || map === undefined || facts === undefined) {
    throw new Error('esbuild wrote no output.')
  }
  if (code.contents.length > MAX_CODE_BYTES) {
    return { path: entrypoint, message: 'The bundled code is larger than 20 MiB.' }
  }
  const { exports } = facts[1]
  if (!exports.includes('main')) {
    const found = exports.length === 0 ? 'nothing' : exports.slice(0, 20).join(', ')
    return {
      path: entrypoint,
      message: `An action's file must export a function "main"; this one exports ${found}.`,
    }
  }
  const prelude = REQUIRES_LATER.test(code.text) ? REQUIRE_PRELUDE : ''
  const sourceMap = nameSources(map.text, prelude === '' ? 0 : 1)
  const bundle = { code: prelude + code.text, sourceMap }
  const graph: BundleGraph = { inputs: result.metafile.inputs, opened: files.opened }
  const sources = sourcesOf(graph, entrypoint)
  return {
    entrypoint,
    hash: hashBundle(bundle),
    ...bundle,
    sources,
    warnings: [
      ...optionalRequires(graph, entrypoint),
      ...computedImports(result.warnings, new Set(sources)),
    ],
    missingExports: missingExportsOf(result.warnings, entrypoint),
  }
}

const UNRESOLVED = /^Could not resolve "(.*)"$/

/** A module name that is computed at run time. Native packages select the file for the platform this way. */
const UNRESOLVED_ADDON = /^Could not resolve require\(".*\.node"\)$/

const explainAddon = (text: string, file: string): string | undefined => {
  if (!UNRESOLVED_ADDON.test(text)) return undefined
  const folder = packageFolderOf(file)
  return explainNative(folder === null ? file : packageNameOf(folder))
}

const toDetail = ({ text, location }: Message, plugin: AppPlugin): ErrorDetail => {
  const file = location?.file.replace(FROM_APP, '') ?? ''
  return {
    path: location === null ? 'bundle' : `${file}:${location.line}:${location.column + 1}`,
    message:
      plugin.explain(UNRESOLVED.exec(text)?.[1] ?? '') ??
      explainAddon(text, file) ??
      explainPattern(text) ??
      text,
  }
}

/** Renames sources to the author's paths. @param linesBefore lines added before the code */
const nameSources = (sourceMap: string, linesBefore: number): string => {
  const map: { sources?: unknown; mappings?: unknown } = JSON.parse(sourceMap)
  const sources = Array.isArray(map.sources) ? map.sources.map(String) : []
  return JSON.stringify({
    ...map,
    mappings: ';'.repeat(linesBefore) + String(map.mappings),
    sources: sources.map((source) => source.replace(FROM_APP, '')),
  })
}
