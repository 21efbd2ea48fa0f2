/** Reads esbuild's warnings. Pure. */
import type { LogLevel, Message } from 'esbuild'
import type { ErrorDetail } from '#core/error.ts'
import { remedyFor } from '#core/packages/remedies.ts'
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

/** What to use instead of packages, or of their versions, that import by patterns. */
const WITHOUT_PATTERNS: ReadonlyMap<string, string> = new Map([
  ['jsdom', 'Use version 26 (npm install jsdom@26), or linkedom or cheerio.'],
  ['pdf-parse', 'Use unpdf.'],
  ['htmlnano', 'For mjml, use version 4 (npm install mjml@4).'],
])

/**
 * @param text esbuild's error
 * @param file with the import
 * @returns undefined if it is not about a name with a part that is computed
 */
export const explainPattern = (text: string, file: string): string | undefined => {
  if (!PATTERN.test(text)) return undefined
  const folder = packageFolderOf(file)
  if (folder === null) return `${text}: svc bundles no patterns, so ${WRITE_NAMES}`
  const name = packageNameOf(folder)
  const instead =
    WITHOUT_PATTERNS.get(name) ??
    remedyFor(name) ??
    'Use another package, or another version of it.'
  return `${text}: svc bundles no patterns, so "${name}" does not run in a job. ${instead}`
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

const CONNECT = 'connect to a browser elsewhere by puppeteer.connect'
const READS_ITSELF = 'does not load in a job, because it reads files of its package'
const USE_CORE = `Use "puppeteer-core", and ${CONNECT}.`

const RUNS_FFMPEG =
  'cannot run ffmpeg, because a job starts no programs. Call a service over the network.'

/** Packages that do not load in a job, or whose main purpose fails, with what to do instead. */
const UNFIT: ReadonlyMap<string, string> = new Map([
  ['puppeteer', `does not load in a job, because it searches for files. ${USE_CORE}`],
  [
    'puppeteer-core',
    `cannot launch a browser, because a job starts no programs. Instead, ${CONNECT}.`,
  ],
  [
    '@anthropic-ai/claude-agent-sdk',
    'cannot run its agent, because a job starts no programs. Use "@anthropic-ai/sdk", with a durable step for each reply.',
  ],
  ['fluent-ffmpeg', RUNS_FFMPEG],
  ['ffmpeg-static', RUNS_FFMPEG],
  ['@duckdb/node-bindings', `does not load in a job: it is machine code. ${remedyFor('duckdb')}`],
  ['libsql', `does not load in a job: it is machine code. ${remedyFor('libsql')}`],
  ['tesseract.js', `${READS_ITSELF}. ${remedyFor('tesseract.js')}`],
  ['playwright', `${READS_ITSELF}. ${USE_CORE}`],
  ['playwright-core', `${READS_ITSELF}. ${USE_CORE}`],
  [
    'geoip-lite',
    `${READS_ITSELF}. Use "mmdb-lib", and import its database, such as one of @ip-location-db, with { type: 'bytes' }.`,
  ],
])

export const SETS_DECORATORS =
  'set "experimentalDecorators": true in the tsconfig.json at the root of the app'

/** Packages that are of no use without decorators from before the standard. */
const DECORATED: ReadonlySet<string> = new Set([
  'class-validator',
  'sequelize-typescript',
  'tsyringe',
  'type-graphql',
  'typedi',
])

/**
 * Warns of packages that do not fit a job.
 * @param sources files of a bundle
 * @param hasDecorators whether the app has decorators from before the standard
 */
export const unfitPackages = (
  sources: readonly string[],
  hasDecorators: boolean,
): readonly ErrorDetail[] =>
  sources.flatMap((path) => {
    const folder = packageFolderOf(path)
    const name = folder === null ? '' : packageNameOf(folder)
    const isOfNoUse = !hasDecorators && DECORATED.has(name)
    const remedy = isOfNoUse ? `needs earlier decorators: ${SETS_DECORATORS}.` : UNFIT.get(name)
    return remedy === undefined || path !== `${folder}/package.json`
      ? []
      : { path, message: `"${name}" ${remedy}` }
  })
