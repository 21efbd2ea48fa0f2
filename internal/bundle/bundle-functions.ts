/** Bundles functions, each from its own folder and the files that its app shares (lib/, node_modules). */
import type { ErrorDetail } from '#core/error.ts'
import { type AppFiles, isVendored } from './app-files.ts'
import { type BundledEntry, bundleEach, type Opened } from './bundle-entries.ts'
import { unbundlable } from './bundle-faults.ts'
import { type FileLookup, overlay } from './file-lookup.ts'
import { FUNCTIONS_FOLDER, type FunctionSource } from './function-files.ts'
import { hashFiles } from './hash-files.ts'
import { FUNCTION_RUNTIME } from './resolve-import.ts'
import { runStepsInTurns } from './steps.ts'

export type BundledFunction = Readonly<{
  /** The function with its hash, which also covers shared files: changing one changes the function. */
  source: FunctionSource
  entry: BundledEntry
  /** Files outside its folder, and of packages, that the bundle contains, by path from the app's root. */
  shared: AppFiles
}>

/** Name of the generated entry file; an author's file cannot have it. */
const ENTRY = '.svc-entry.ts'

const HANDLERS = ['default', 'main']

const folderOf = ({ name }: FunctionSource): string => `${FUNCTIONS_FOLDER}${name}/`

const pathOf = (source: FunctionSource, path: string): string => `${folderOf(source)}${path}`

const entryOf = ({ entrypoint }: FunctionSource): Uint8Array =>
  new TextEncoder().encode(
    `import * as module from './${entrypoint}'\nimport { serve } from '${FUNCTION_RUNTIME}'\nexport const main = serve({ default: module.default, main: module.main })\n`,
  )

const filesOf = (functions: readonly FunctionSource[]): AppFiles =>
  new Map(
    functions.flatMap((source) => [
      ...[...source.files].map(([path, bytes]) => [pathOf(source, path), bytes] as const),
      [pathOf(source, ENTRY), entryOf(source)] as const,
    ]),
  )

/** Explains an import that is not relative [functions 17], if nothing better is known. */
const explain = ({ path, message }: ErrorDetail): ErrorDetail => {
  const [, module] = /^Cannot find the package ("[^"]+")\. Only /.exec(message) ?? []
  return module === undefined
    ? { path, message }
    : { path, message: `Cannot find module ${module}. Use a relative import such as ./validator.` }
}

const sharedOf = (source: FunctionSource, entry: BundledEntry, app: FileLookup): AppFiles =>
  new Map(
    entry.sources
      .filter((path) => !path.startsWith(folderOf(source)) || isVendored(path))
      .flatMap((path) => {
        const bytes = app.get(path)
        return bytes === undefined ? [] : [[path, bytes] as const]
      }),
  )

/** Returns the hash of the folder if there are no shared files [functions 2.8]. */
const hashOf = async (source: FunctionSource, shared: AppFiles): Promise<string> =>
  shared.size === 0
    ? source.hash
    : runStepsInTurns(
        hashFiles(
          new Map([
            ...source.files,
            ...[...shared].map(([path, bytes]) => [`../../${path}`, bytes] as const),
          ]),
        ),
      )

/** Returns a fault for each function whose file exports neither `default` nor `main`, because every call would fail. */
const withoutHandler = (
  functions: readonly FunctionSource[],
  byPath: ReadonlyMap<string, BundledEntry>,
): readonly ErrorDetail[] =>
  functions
    .filter((source) => {
      const entry = byPath.get(pathOf(source, ENTRY))
      return HANDLERS.every((name) => entry?.missingExports.includes(name) === true)
    })
    .map((source) => ({
      path: pathOf(source, source.entrypoint),
      message: 'A function\'s file must export a function as default or as "main".',
    }))

export type BundledFunctions = Readonly<{
  functions: readonly BundledFunction[]
  faults: readonly ErrorDetail[]
}> &
  Opened

/**
 * Bundles functions of one app.
 * @param app the files of the app's root, which the functions share
 * @param owner the workspace that waits for it
 * @throws {AppError} unprocessable `unbundlable`
 */
export const bundleFunctions = async (
  functions: readonly FunctionSource[],
  app: FileLookup,
  owner = '',
): Promise<readonly BundledFunction[]> => {
  const bundled = await bundleEachFunction(functions, app, owner)
  if (bundled.faults.length > 0) throw unbundlable(bundled.faults)
  return bundled.functions
}

/** Like `bundleFunctions`, but returns the faults of some with the bundles of the others. */
export const bundleEachFunction = async (
  functions: readonly FunctionSource[],
  app: FileLookup,
  owner = '',
): Promise<BundledFunctions> => {
  if (functions.length === 0) return { functions: [], faults: [], opened: [] }
  const paths = functions.map((source) => pathOf(source, ENTRY))
  const files = overlay(filesOf(functions), app)
  const { entries, faults, opened } = await bundleEach(files, paths, owner)
  const byPath = new Map(entries.map((entry) => [entry.entrypoint, entry]))
  const bundled: BundledFunction[] = []
  for (const source of functions) {
    const entry = byPath.get(pathOf(source, ENTRY))
    if (entry === undefined) continue
    const shared = sharedOf(source, entry, app)
    bundled.push({ source: { ...source, hash: await hashOf(source, shared) }, entry, shared })
  }
  return {
    functions: bundled,
    faults: [...faults.map(explain), ...withoutHandler(functions, byPath)],
    opened,
  }
}
