/**
 * Bundles an app's entry files with esbuild, each into one module that imports only `node:` built-ins.
 *
 * It guarantees: files come from memory and resolution never leaves them, so an import of /etc/passwd finds nothing; no
 * plugins and scripts of packages are run, and of a tsconfig.json only what compiler-options.ts and tsconfig-paths.ts name is
 * read; the same files make the same bundles.
 * On failure it throws AppError unprocessable `unbundlable`, with file, line and message of every fault in `details`.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BuildOptions, BuildResult } from 'esbuild'
import { chunksOf } from '#core/chunks-of.ts'
import { nearestTo } from '#core/edit-distance.ts'
import type { ErrorDetail } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { isVendored } from './app-files.ts'
import { type AppPlugin, appPlugin } from './app-plugin.ts'
import { faultsOf, firstOf, partsToTry, unbundlable } from './bundle-faults.ts'
import { type BundleGraph, isCommonJs, optionalRequires, sourcesOf } from './bundle-graph.ts'
import { hashBundle } from './bundle-hash.ts'
import { computedImports, missingExportsOf, unfitPackages, WARNINGS } from './bundle-warnings.ts'
import { type CompilerOptions, compilerOptions } from './compiler-options.ts'
import { BundlerGaveUp, buildAlone } from './esbuild-service.ts'
import { type FileLookup, type OpenedFiles, recordOpened } from './file-lookup.ts'
import { PLACE_NAMES } from './module-place.ts'
import { type PackedBundle, packBundle } from './packed-bundle.ts'
import type { OwnNames } from './resolve-import.ts'
import { nameSources } from './source-map.ts'
import { runStepsInTurns } from './steps.ts'
import { REQUIRE_PRELUDE } from './system-modules.ts'
import { tsconfigPaths } from './tsconfig-paths.ts'
import { workspaces } from './workspaces.ts'

export type BundledEntry = Readonly<{
  entrypoint: string
  /** SHA-256 of code and source map, hex. */
  hash: string
  /** Files of the app in the bundle, sorted, including the package.json of each package, and a tsconfig.json that counts. */
  sources: readonly string[]
  /** Imports that fail at run time: optional packages that are missing, and names that are computed. */
  warnings: readonly ErrorDetail[]
  /** Names that the entry file imports from a module that does not export them. */
  missingExports: readonly string[]
}> &
  PackedBundle

const MAX_CODE_BYTES = limit(
  'app.bundle_bytes',
  20 * 1_024 * 1_024,
  'bytes',
  'Bundle of one entry point. sqld and Turso take 5 MB. More: 413.',
)
const MAX_TOTAL_BYTES = limit(
  'app.bundles_bytes',
  64 * 1_024 * 1_024,
  'bytes',
  'All bundles of a deployment together.',
)
/** Entries per esbuild run, which bounds its memory. */
const ENTRIES_AT_ONCE = 16

/** Faults of entry points that the app does not contain. */
export const missingEntries = (
  app: FileLookup,
  entrypoints: readonly string[],
): readonly ErrorDetail[] => {
  const missing = [...new Set(entrypoints)].filter((path) => !app.has(path))
  if (missing.length === 0) return []
  const scripts = [...app.keys()].filter((path) => SCRIPT.test(path) && !isVendored(path))
  return missing.slice(0, MAX_MISSING).map((path, index) => {
    const meant = index < MAX_MEANT ? nearestTo(path, scripts.slice(0, MAX_SCRIPTS)) : undefined
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    return {
      path,
      message: `The manifest names this file, but the app does not contain it.${hint}`,
    }
  })
}

const SCRIPT = /\.[cm]?[jt]sx?$/
/** The most faults that are reported, how many of them with the file that was meant, and among how many files it is looked for. */
const [MAX_MISSING, MAX_MEANT, MAX_SCRIPTS] = [100, 10, 500]

/** Bundles each entry point once. @throws {AppError} unprocessable `unbundlable` */
export const bundleEntries = async (
  app: FileLookup,
  entrypoints: readonly string[],
): Promise<readonly BundledEntry[]> => {
  const { entries, faults } = await bundleEach(app, entrypoints)
  if (faults.length > 0) throw unbundlable(faults)
  return entries
}

/**
 * Bundles each entry point once. A fault of one does not keep the others from being bundled, unless the bundler gives up.
 * @param owner the workspace that waits for it
 */
export const bundleEach = async (
  app: FileLookup,
  entrypoints: readonly string[],
  owner = '',
): Promise<Bundled & Opened> => {
  const files = recordOpened(app)
  const names = { paths: tsconfigPaths(app), workspace: workspaces(app) }
  const work = { files, owner, names, options: compilerOptions(app) }
  const unique = [...new Set(entrypoints)]
  const faults: ErrorDetail[] = [...missingEntries(app, unique)]
  const present = unique.filter((path) => files.has(path))
  const entries: BundledEntry[] = []
  let total = 0
  let gaveUp = false
  for (const some of chunksOf(present, ENTRIES_AT_ONCE)) {
    const bundled = await bundleSome(work, some)
    entries.push(...bundled.entries)
    faults.push(...bundled.faults)
    total += sizeOf(bundled.entries)
    gaveUp = bundled.gaveUp
    if (gaveUp) break
    if (total > MAX_TOTAL_BYTES) {
      faults.push({ path: 'bundle', message: 'The bundled code of all actions exceeds 64 MiB.' })
      break
    }
  }
  return { entries, faults, gaveUp, opened: [...files.opened.keys()] }
}

const sizeOf = (entries: readonly BundledEntry[]): number =>
  entries.reduce((sum, { codeLength }) => sum + codeLength, 0)

type Work = Readonly<{
  files: OpenedFiles
  owner: string
  names: OwnNames
  options: CompilerOptions
}>
/** Paths of the files that the bundler read, also for what it could not bundle. */
export type Opened = Readonly<{ opened: readonly string[] }>

type Bundled = Readonly<{
  entries: readonly BundledEntry[]
  faults: readonly ErrorDetail[]
  /** It ends the work on an app, because others wait for the bundler. */
  gaveUp: boolean
}>

const bundleSome = async (work: Work, entrypoints: readonly string[]): Promise<Bundled> => {
  const { files, owner, names, options } = work
  const plugin = appPlugin(files, names)
  let result: Built
  try {
    result = await buildAlone((build) => build(optionsFor(plugin, entrypoints, options)), owner)
  } catch (error) {
    const parts = partsToTry(error, entrypoints)
    if (parts.length > 1) return bundleParts(work, parts)
    const faults = faultsOf(error, plugin, entrypoints[0] ?? '')
    return { entries: [], faults, gaveUp: error instanceof BundlerGaveUp }
  }
  const all: (BundledEntry | ErrorDetail)[] = []
  for (const [index, entrypoint] of entrypoints.entries()) {
    await nextTurn()
    all.push(await readOutput({ ...work, plugin, result }, entrypoint, index))
  }
  return {
    entries: all.flatMap((one) => ('hash' in one ? [one] : [])),
    faults: all.flatMap((one) => ('hash' in one ? [] : [one])),
    gaveUp: false,
  }
}

const bundleParts = async (work: Work, parts: readonly (readonly string[])[]): Promise<Bundled> => {
  const entries: BundledEntry[] = []
  const faults: ErrorDetail[] = []
  let gaveUp = false
  for (const part of parts) {
    if (gaveUp || sizeOf(entries) > MAX_TOTAL_BYTES) break
    const bundled = await bundleSome(work, part)
    entries.push(...bundled.entries)
    faults.push(...bundled.faults)
    gaveUp = bundled.gaveUp
  }
  return { entries, faults, gaveUp }
}

type Built = BuildResult<{ write: false; metafile: true }>

const optionsFor = (
  { plugin }: AppPlugin,
  entrypoints: readonly string[],
  { raw }: CompilerOptions,
) =>
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
    jsx: 'automatic',
    charset: 'utf8',
    // packages read NODE_ENV, and a job has no environment
    define: { 'process.env.NODE_ENV': '"production"', ...PLACE_NAMES },
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
    logLimit: 0,
    logOverride: WARNINGS,
    tsconfigRaw: raw,
    plugins: [plugin],
  }) satisfies BuildOptions

/** The function that esbuild emits when code requires something at run time. */
const REQUIRES_LATER = /^var __require = /m

/** Other work has turns in between, because a bundle may be of megabytes. */
const readOutput = async (
  { result, files, options, plugin }: Work & Readonly<{ result: Built; plugin: AppPlugin }>,
  entrypoint: string,
  index: number,
): Promise<BundledEntry | ErrorDetail> => {
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
  const graph: BundleGraph = { inputs: result.metafile.inputs, opened: files.opened }
  const { exports } = facts[1]
  if (!exports.includes('main')) {
    const exported = exports.length === 0 ? 'nothing' : exports.slice(0, 20).join(', ')
    const found = isCommonJs(graph, entrypoint) ? 'is a CommonJS module' : `exports ${exported}`
    return {
      path: entrypoint,
      message: `An action's file must export a function "main"; this one ${found}. Write: export const main = async (ctx) => { … }`,
    }
  }
  const { text } = code
  const prelude = REQUIRES_LATER.test(text) ? REQUIRE_PRELUDE : ''
  await nextTurn()
  const bundle = { code: prelude + text, sourceMap: nameSources(map.text, prelude === '' ? 0 : 1) }
  await nextTurn()
  const reached = sourcesOf(graph, entrypoint)
  const tsconfigs = new Set([...options.files, ...plugin.tsconfigsOf(reached)])
  const sources = [...reached, ...tsconfigs].sort()
  return {
    entrypoint,
    hash: await runStepsInTurns(hashBundle(bundle)),
    ...(await packBundle(bundle)),
    sources,
    warnings: firstOf([
      ...unfitPackages(sources, options.files.length > 0),
      ...optionalRequires(graph, entrypoint),
      ...computedImports(result.warnings, new Set(sources)),
    ]),
    missingExports: missingExportsOf(result.warnings, entrypoint),
  }
}
