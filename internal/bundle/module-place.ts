/**
 * Gives a module its place. A bundle is one module without a folder, but packages ask for `__dirname`, `__filename` and
 * `import.meta.url`, and ES modules make themselves a `require` of it. The bundler replaces the names by those that are
 * declared here, one declaration per file. Pure.
 */
import { folderOf } from './module-path.ts'

/** No file lies there: the places tell modules apart, and nothing of an app can be read at run time. */
const ROOT = '/app/'

/** esbuild's `define`: it knows which of these names are the runtime's own and which are an author's. */
export const PLACE_NAMES = {
  __dirname: '__svc_dirname',
  __filename: '__svc_filename',
  'import.meta.dirname': '__svc_dirname',
  'import.meta.filename': '__svc_filename',
  'import.meta.url': '__svc_url',
} as const

const ASKS_FOR_PLACE = /__dirname|__filename|import\.meta/

/** `const require = createRequire(import.meta.url)`, in the forms that people and compilers write. */
const OWN_REQUIRE =
  /\b(?:const|let|var)\s+([\w$]*require[\w$]*)\s*=\s*(?:[\w$]+\.)?createRequire[\w$]*\s*\(\s*import\.meta\.(?:url|filename)\s*\)\s*(?:;|(?=\n|$))/i

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

const escapeName = (name: string): string => name.replaceAll('$', '\\$')

/**
 * The bundler knows `require('x')` by its name alone, so the module's own function of that kind gives way to it where
 * the name of the module is written out. What is named at run time asks the function.
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

/** @param path of the module inside the app */
export const withPlace = (path: string, source: string): string => {
  if (!ASKS_FOR_PLACE.test(source)) return source
  const [hashbang = ''] = HASHBANG.exec(source) ?? []
  const file = `${ROOT}${path}`
  const place = [
    `__svc_dirname=${JSON.stringify(folderOf(file))}`,
    `__svc_filename=${JSON.stringify(file)}`,
    `__svc_url=${JSON.stringify(new URL(`file://${encodeURI(file)}`).href)}`,
  ]
  // on the first line of code: the lines of stack traces stay those of the file
  return `${hashbang}var ${place.join(',')};${withBundledRequire(source.slice(hashbang.length))}`
}
