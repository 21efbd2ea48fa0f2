/**
 * Gives a module its own path. A bundle is one module without a folder, but packages read `__dirname`, `__filename` and
 * `import.meta.url`, and ES modules create a `require` from it. The bundler replaces these names by variables that are
 * declared here, one declaration per file. Pure.
 */
import { folderOf } from './module-path.ts'

/** A folder that does not exist: the paths only distinguish modules, and no app file can be read at run time. */
const ROOT = '/app/'

/** esbuild's `define`. It replaces only the runtime's names, not variables of an author with the same name. */
export const PLACE_NAMES = {
  __dirname: '__svc_dirname',
  __filename: '__svc_filename',
  'import.meta.dirname': '__svc_dirname',
  'import.meta.filename': '__svc_filename',
  'import.meta.url': '__svc_url',
} as const

const ASKS_FOR_PLACE = /__dirname|__filename|import\.meta/

/** Matches `const require = createRequire(import.meta.url)` in the forms that people and compilers write. */
const OWN_REQUIRE =
  /\b(?:const|let|var)\s+([\w$]*require[\w$]*)\s*=\s*(?:[\w$]+\.)?createRequire[\w$]*\s*\(\s*import\.meta\.(?:url|filename)\s*\)\s*(?:;|(?=\n|$))/i

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

const escapeName = (name: string): string => name.replaceAll('$', '\\$')

/**
 * esbuild recognizes `require('x')` only by the name `require`. So calls with a literal module name are renamed to it;
 * calls with a computed name keep the module's own function.
 */
const withBundledRequire = (source: string): string => {
  const [declaration, name] = OWN_REQUIRE.exec(source) ?? []
  if (declaration === undefined || name === undefined) return source
  if (name === 'require') return source.replace(declaration, () => blank(declaration))
  const call = new RegExp(
    `(?<![\\w$.])${escapeName(name)}(?=\\s*\\(\\s*["'][^"']*["']\\s*\\))`,
    'g',
  )
  return source.replace(call, 'require')
}

const HASHBANG = /^#![^\n]*\n/

/** Prepends the path variables to a source that uses them. @param path of the module inside the app */
export const withPlace = (path: string, source: string): string => {
  if (!ASKS_FOR_PLACE.test(source)) return source
  const [hashbang = ''] = HASHBANG.exec(source) ?? []
  const file = `${ROOT}${path}`
  const place = [
    `__svc_dirname=${JSON.stringify(folderOf(file))}`,
    `__svc_filename=${JSON.stringify(file)}`,
    `__svc_url=${JSON.stringify(new URL(`file://${encodeURI(file)}`).href)}`,
  ]
  // on the first line of code, so that line numbers of stack traces stay those of the file
  return `${hashbang}var ${place.join(',')};${withBundledRequire(source.slice(hashbang.length))}`
}
