/** Turns what esbuild throws into the faults of an app that its author reads. */
import type { Message } from 'esbuild'
import { MIB } from '#core/byte-units.ts'
import { type AppError, type ErrorDetail, unprocessable } from '#core/error.ts'
import { APP_NAMESPACE, type AppPlugin } from './app-plugin.ts'
import { explainPattern, FROM_APP, SETS_DECORATORS } from './bundle-warnings.ts'
import { BundlerGaveUp, MAX_OUTPUT_BYTES } from './esbuild-service.ts'
import { explainNative, packageFolderOf, packageNameOf } from './native-addons.ts'

const MAX_DETAILS = 100
/** Characters of one message; esbuild's may contain a name of megabytes. */
const MAX_MESSAGE = 1_000

const GAVE_UP =
  'The bundler gave up on this code: it nests too deeply, needs too much memory, or takes longer than a minute.'
const TOO_MUCH = `The bundle with its source map, or the bundler's messages about this code, exceed ${MAX_OUTPUT_BYTES / MIB} MiB. Each message repeats its line, so divide long lines.`

const shorten = ({ path, message }: ErrorDetail): ErrorDetail => ({
  path,
  message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message,
})

/** Returns the first details without repetitions, because code may give rise to a million. */
export const firstOf = (details: readonly ErrorDetail[]): readonly ErrorDetail[] => {
  const unique = new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail]))
  return [...unique.values()].slice(0, MAX_DETAILS).map(shorten)
}

/** Builds the refusal of code. Two entries that import one broken file report the same fault. */
export const unbundlable = (faults: readonly ErrorDetail[]): AppError =>
  unprocessable('The code of the app could not be bundled.', {
    code: 'unbundlable',
    details: firstOf(faults),
  })

const errorsOf = (error: unknown): readonly Message[] | null =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : null

const UNRESOLVED = /^Could not resolve "(.*)"$/

/** A module name that is computed at run time. Native packages select the file for the platform this way. */
const UNRESOLVED_ADDON = /^Could not resolve require\(".*\.node"\)$/

const explainAddon = (text: string, file: string): string | undefined => {
  if (!UNRESOLVED_ADDON.test(text)) return undefined
  const folder = packageFolderOf(file)
  return explainNative(folder === null ? file : packageNameOf(folder))
}

/** The beginning of a line that is Python, and not JavaScript. */
const PYTHON =
  /^\s*(?:(?:async\s+)?def\s+\w+\s*\(|from\s+[\w.]+\s+import\s|import\s+[\w.]+(?:\s+as\s+\w+)?\s*$|elif\s)/

const explainPython = (line: string): string | undefined =>
  PYTHON.test(line.slice(0, 200))
    ? 'This is Python. An action is TypeScript or JavaScript: export const main = async (ctx) => { … }'
    : undefined

const EARLIER_DECORATORS = /^Parameter decorators only work when /

const explainDecorators = (text: string): string | undefined =>
  EARLIER_DECORATORS.test(text)
    ? `Parameters have no decorators by the standard: ${SETS_DECORATORS}.`
    : undefined

const toDetail = ({ text, location }: Message, plugin: AppPlugin): ErrorDetail => {
  const file = location?.file.replace(FROM_APP, '') ?? ''
  return {
    path: location === null ? 'bundle' : `${file}:${location.line}:${location.column + 1}`,
    message:
      plugin.explain(UNRESOLVED.exec(text)?.[1] ?? '') ??
      explainAddon(text, file) ??
      explainPattern(text, file) ??
      explainDecorators(text) ??
      explainPython(location?.lineText ?? '') ??
      // esbuild puts its namespace before a path
      text.replaceAll(`"${APP_NAMESPACE}:`, '"'),
  }
}

/**
 * Divides entries whose build failed. A fault fails the whole build, so each entry gets its own, which attributes the fault;
 * output that was too large may fit in halves.
 * @returns a single part if another build is of no use
 */
export const partsToTry = (
  error: unknown,
  entrypoints: readonly string[],
): readonly (readonly string[])[] => {
  if (errorsOf(error) !== null) return entrypoints.map((entrypoint) => [entrypoint])
  const isTooMuch = error instanceof BundlerGaveUp && error.reason === 'output'
  const middle = Math.ceil(entrypoints.length / 2)
  return isTooMuch && entrypoints.length > 1
    ? [entrypoints.slice(0, middle), entrypoints.slice(middle)]
    : [entrypoints]
}

/** Returns the faults of an entry. @throws the error if it is not about code */
export const faultsOf = (
  error: unknown,
  plugin: AppPlugin,
  entrypoint: string,
): readonly ErrorDetail[] => {
  if (error instanceof BundlerGaveUp) {
    return error.reason === 'output'
      ? [{ path: entrypoint, message: TOO_MUCH }]
      : [{ path: 'bundle', message: GAVE_UP }]
  }
  const messages = errorsOf(error)
  if (messages === null) throw error
  return messages.map((message) => toDetail(message, plugin))
}
