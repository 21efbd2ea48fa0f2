/**
 * Gives a module its own path. A bundle is one module without a folder, but packages read `__dirname`, `__filename` and
 * `import.meta.url`, and ES modules create a `require` from it. The bundler replaces these names with variables that
 * are declared here, one declaration per file. Pure.
 */
import { APP_ROOT, fileAddress } from '#core/app-file.ts'
import { folderOf } from './module-path.ts'
import { piecesOf } from './source-pieces.ts'
import type { Steps } from './steps.ts'

const fileOf = (path: string): string => `${APP_ROOT}${path}`

/** esbuild's `define`. It replaces only the runtime's names, not variables of an author with the same name. */
export const PLACE_NAMES = {
  __dirname: '__svc_dirname',
  __filename: '__svc_filename',
  'import.meta.dirname': '__svc_dirname',
  'import.meta.filename': '__svc_filename',
  'import.meta.url': '__svc_url',
} as const

const ASKS_FOR_PLACE = /__dirname|__filename|import\.meta/

/**
 * `createRequire(import.meta.url)` in the forms that people and compilers write. No two parts may match the same spaces, because the
 * time for a long gap would grow with its square.
 */
const MADE_HERE =
  '(?:[\\w$]+\\.)?createRequire[\\w$]*\\s*\\(\\s*(?:[\\w$.]*fileURLToPath\\s*\\(\\s*)?import\\.meta\\.(?:url|filename)\\s*(?:\\)\\s*)?\\)'
const OWN_REQUIRE = new RegExp(
  `\\b(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*${MADE_HERE}\\s*(?:;|(?=\\n|$))`,
  'g',
)
const CALLED_WHERE_MADE = new RegExp(`(?<![\\w$.])${MADE_HERE}(?=\\s*\\(\\s*["'])`, 'g')

/** A call with a literal module name. It matches only the name of the function. */
const CALL = /(?<![\w$.])[\w$]+(?=\s*\(\s*["']([^"']*)["']\s*\))/g

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/**
 * esbuild recognizes `require('x')` only by the name `require`. So calls with a literal module name are renamed to it;
 * calls with a computed name keep the module's own function.
 */
function* withBundledRequire(source: string): Steps<string> {
  if (!source.includes('createRequire')) return source
  const names = new Set<string>()
  const blankOwn = (declaration: string, name: string): string => {
    names.add(name)
    return name === 'require' ? blank(declaration) : declaration
  }
  const declared: string[] = []
  for (const piece of piecesOf(source)) {
    declared.push(piece.replace(OWN_REQUIRE, blankOwn))
    yield
  }
  const called = (call: string, path: string): string =>
    isOwnCall(names, call, path) ? 'require' : call
  const bundled: string[] = []
  for (const piece of declared) {
    const renamed = names.size === 0 ? piece : piece.replace(CALL, called)
    bundled.push(renamed.replace(CALLED_WHERE_MADE, 'require'))
    yield
  }
  return bundled.join('')
}

/** Whether a call is one of these functions. The module has many, so all are found in one pass. */
const isOwnCall = (names: ReadonlySet<string>, call: string, path: string): boolean =>
  // a name of one or two letters may be another function's parameter, so only calls with a path of a file count
  names.has(call) && (call.length > 2 || path.startsWith('.'))

/** A request for the path of another module, which esbuild leaves as it is. */
const RESOLVE = /(?<![\w$.])require\.resolve\(\s*["'](\.[^"'\n\\]{1,200})["']\s*\)/g

/** Replaces them in a part of a source. A module may have many, and to find a file takes some 10 µs. */
function* withResolvedPart(
  part: string,
  find: (specifier: string) => string | null,
): Steps<string> {
  const texts: string[] = []
  let end = 0
  for (const { 0: request, 1: specifier = '', index } of part.matchAll(RESOLVE)) {
    const path = find(specifier)
    texts.push(part.slice(end, index), path === null ? request : JSON.stringify(fileOf(path)))
    end = index + request.length
    yield
  }
  return texts.join('') + part.slice(end)
}

/**
 * Replaces such requests by the path.
 * @param find returns the path of a file of the app, which the bundle must contain, or null to leave the request
 */
export function* withResolved(
  source: string,
  find: (specifier: string) => string | null,
): Steps<string> {
  if (!source.includes('require.resolve')) return source
  const parts: string[] = []
  for (const piece of piecesOf(source)) parts.push(yield* withResolvedPart(piece, find))
  return parts.join('')
}

const HASHBANG = /^#![^\n]*\n/

/** Whether a source uses its path. */
export const asksForPlace = (source: string): boolean => ASKS_FOR_PLACE.test(source)

/** Returns the `import.meta.url` of a module or file inside the app. */
export const addressOf = (path: string): string => fileAddress(fileOf(path))

/**
 * Prepends the path variables to a source that uses them.
 * @param path of the module inside the app
 * @param required a module that is to load before the code
 */
export function* withPlace(
  path: string,
  source: string,
  required: string | null = null,
): Steps<string> {
  const [hashbang = ''] = HASHBANG.exec(source) ?? []
  const file = fileOf(path)
  const place = [
    `__svc_dirname=${JSON.stringify(folderOf(file))}`,
    `__svc_filename=${JSON.stringify(file)}`,
    `__svc_url=${JSON.stringify(addressOf(path))}`,
  ]
  const first = required === null ? '' : `require(${JSON.stringify(required)});`
  // on the first line of code, so that the line numbers in stack traces stay those of the file
  const code = yield* withBundledRequire(source.slice(hashbang.length))
  return `${hashbang}var ${place.join(',')};${first}${code}`
}
