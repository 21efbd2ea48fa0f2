/** Bundles functions: each with what serves it, from its own folder and what its app shares (lib/, node_modules). */
import { AppError, type ErrorDetail } from '#core/error.ts'
import type { AppFiles } from './app-files.ts'
import { type BundledEntry, bundleEntries } from './bundle-entries.ts'
import { FUNCTIONS_FOLDER, type FunctionSource } from './function-files.ts'
import { FUNCTION_RUNTIME } from './resolve-import.ts'

export type BundledFunction = Readonly<{ source: FunctionSource; entry: BundledEntry }>

/** No file of an author's is called that. */
const ENTRY = '.svc-entry.ts'

const pathOf = ({ name }: FunctionSource, path: string): string =>
  `${FUNCTIONS_FOLDER}${name}/${path}`

const entryOf = ({ entrypoint }: FunctionSource): Uint8Array =>
  new TextEncoder().encode(
    `import * as module from './${entrypoint}'\nimport { serve } from '${FUNCTION_RUNTIME}'\nexport const main = serve(module)\n`,
  )

const filesOf = (functions: readonly FunctionSource[]): AppFiles =>
  new Map(
    functions.flatMap((source) => [
      ...[...source.files].map(([path, bytes]) => [pathOf(source, path), bytes] as const),
      [pathOf(source, ENTRY), entryOf(source)] as const,
    ]),
  )

/** Document 3, Errors: what to do about an import that is not relative. */
const explain = ({ path, message }: ErrorDetail): ErrorDetail => {
  const [, module] = /^Cannot find the package ("[^"]+")/.exec(message) ?? []
  return module === undefined
    ? { path, message }
    : { path, message: `Cannot find module ${module}. Use a relative import such as ./validator.` }
}

/** @throws {AppError} unprocessable `unbundlable` */
export const bundleFunctions = async (
  functions: readonly FunctionSource[],
): Promise<readonly BundledFunction[]> => {
  if (functions.length === 0) return []
  const paths = functions.map((source) => pathOf(source, ENTRY))
  const entries = await bundleEntries(filesOf(functions), paths).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.details === undefined) throw error
    const details = error.details.map(explain)
    throw new AppError(error.kind, error.message, { code: error.code, details, cause: error })
  })
  return functions.map((source, at) => {
    const entry = entries.find(({ entrypoint }) => entrypoint === paths[at])
    if (entry === undefined) throw new Error(`The function ${source.name} was not bundled.`)
    return { source, entry }
  })
}
