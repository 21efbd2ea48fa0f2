/** Reads esbuild's warnings. Pure. */
import type { Message } from 'esbuild'
import type { ErrorDetail } from '#core/error.ts'
import { APP_NAMESPACE } from './app-plugin.ts'
import { packageFolderOf } from './native-addons.ts'

/** What esbuild puts before the path of an app's file. */
export const FROM_APP = new RegExp(`^(?:.*/)?${APP_NAMESPACE}:`)

const UNDEFINED_IMPORT = /^Import "(\w+)" will always be undefined/
/** esbuild treats such a module as CommonJS, whose `default` is an empty object, so it does not warn about `default`. */
const WITHOUT_EXPORTS = / has no exports$/

/** Returns the names that an entry file imports from a module that does not export them. */
export const missingExportsOf = (
  warnings: readonly Message[],
  entrypoint: string,
): readonly string[] =>
  warnings
    .filter(({ location }) => location?.file.replace(FROM_APP, '') === entrypoint)
    .flatMap(({ text }) => {
      const name = UNDEFINED_IMPORT.exec(text)?.[1] ?? []
      return WITHOUT_EXPORTS.test(text) ? ['default', name].flat() : name
    })

const WRITE_NAMES = "write each name as text, such as { a: () => import('./a.ts') }."
const PATTERN = /^Could not resolve (?:import|require)\("/

/** @param text esbuild's error @returns undefined if it is not about a name with a part that is computed */
export const explainPattern = (text: string): string | undefined =>
  PATTERN.test(text) ? `${text}: svc bundles no patterns, so ${WRITE_NAMES}` : undefined

/** esbuild's id of an import() whose name it does not know. */
export const COMPUTED_IMPORT = 'unsupported-dynamic-import'

/** Warnings that an entry gets, because files of 20 MiB may have millions of such imports. */
const MAX_COMPUTED = 100

/** Warns of the app's own files only, because packages fall back to something else. */
export const computedImports = (
  warnings: readonly Message[],
  sources: ReadonlySet<string>,
): readonly ErrorDetail[] =>
  warnings
    .flatMap(({ id, location }) => {
      const file = location?.file.replace(FROM_APP, '') ?? ''
      if (id !== COMPUTED_IMPORT || !sources.has(file) || packageFolderOf(file) !== null) return []
      return {
        path: `${file}:${location?.line}:${(location?.column ?? 0) + 1}`,
        message: `An import() whose name is computed at run time finds only built-in modules: ${WRITE_NAMES}`,
      }
    })
    .slice(0, MAX_COMPUTED)
