/** Reads esbuild's warnings. Pure. */
import type { LogLevel, Message } from 'esbuild'
import type { ErrorDetail } from '#core/error.ts'
import { APP_NAMESPACE } from './app-plugin.ts'
import { packageFolderOf, packageNameOf } from './native-addons.ts'

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

/**
 * @param text esbuild's error
 * @param file with the import
 * @returns undefined if it is not about a name with a part that is computed
 */
export const explainPattern = (text: string, file: string): string | undefined => {
  if (!PATTERN.test(text)) return undefined
  const folder = packageFolderOf(file)
  return folder === null
    ? `${text}: svc bundles no patterns, so ${WRITE_NAMES}`
    : `${text}: svc bundles no patterns, so "${packageNameOf(folder)}" does not run in a job. Use another package, or another version of it.`
}

/** esbuild's id of an import() whose name it does not know. */
const COMPUTED_IMPORT = 'unsupported-dynamic-import'

/** The ids of esbuild's other warnings. Its CLI prints them; svc reads none of them. */
const UNREAD = [
  'ambiguous-reexport',
  'assert-to-with',
  'assert-type-json',
  'assign-to-constant',
  'assign-to-define',
  'assign-to-import',
  'bigint',
  'call-import-namespace',
  'class-name-will-throw',
  'commonjs-variable-in-esm',
  'delete-super-property',
  'different-path-case',
  'direct-eval',
  'duplicate-case',
  'duplicate-class-member',
  'duplicate-object-key',
  'empty-glob',
  'empty-import-meta',
  'equals-nan',
  'equals-negative-zero',
  'equals-new-object',
  'html-comment-in-js',
  'ignored-bare-import',
  'ignored-dynamic-import',
  'impossible-typeof',
  'indirect-require',
  'package.json',
  'private-name-will-throw',
  'require-resolve-not-external',
  'semicolon-after-return',
  'suspicious-boolean-not',
  'suspicious-define',
  'suspicious-logical-operator',
  'suspicious-nullish-coalescing',
  'this-is-undefined-in-esm',
  'unsupported-jsx-comment',
  'unsupported-regexp',
  'unsupported-require-call',
]

/** Silences what svc does not read, because each message repeats the whole line, which may have megabytes. */
export const WARNINGS: Readonly<Record<string, LogLevel>> = {
  ...Object.fromEntries(UNREAD.map((id) => [id, 'silent' as const])),
  [COMPUTED_IMPORT]: 'warning',
}

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

/** Packages that start a browser on the machine, and the call that connects to one elsewhere. Playwright does not load in a job. */
const BROWSER_STARTERS: ReadonlyMap<string, string> = new Map([
  ['puppeteer', 'puppeteer.connect'],
  ['puppeteer-core', 'puppeteer.connect'],
  ['playwright', 'puppeteer.connect of "puppeteer-core"'],
  ['playwright-core', 'puppeteer.connect of "puppeteer-core"'],
])

/** Warns of packages whose main purpose fails in a job. @param sources files of a bundle */
export const browserStarters = (sources: readonly string[]): readonly ErrorDetail[] =>
  sources.flatMap((path) => {
    const folder = packageFolderOf(path)
    const name = folder === null ? '' : packageNameOf(folder)
    const remedy = BROWSER_STARTERS.get(name)
    if (remedy === undefined || path !== `${folder}/package.json`) return []
    const message = `"${name}" cannot launch a browser, because a job starts no programs. Connect to a browser elsewhere by ${remedy}.`
    return { path, message }
  })
