/**
 * Imports of a CommonJS module by an ES module of a package. In Node `default` is `module.exports`, always; esbuild's own rule is
 * to take `exports.default` of a module that TypeScript compiled, unless it knows that the importer is an ES module of Node. It
 * learns that only from files on disk. Pure.
 */
import type { FileLookup } from './file-lookup.ts'
import { folderOf, foldersUpwards } from './module-path.ts'
import { packageFolderOf } from './native-addons.ts'
import { readPackage } from './package-map.ts'

/** The mark of a module that TypeScript or Babel compiled to CommonJS. */
const COMPILED = /\b__esModule\b/
/** Bundled ES modules may contain that mark, too. A package may name one by `module` or `import`, without `type`. */
const HAS_EXPORTS =
  /(?:^|[;}/])[ \t]*export(?:[ \t]*[{*]|[ \t]+(?:default|const|let|var|function|class|async)\b)/m

const isNodeModule = (files: FileLookup, path: string): boolean => {
  if (/\.[mc]js$/.test(path)) return path.endsWith('.mjs')
  for (const folder of foldersUpwards(folderOf(path))) {
    const manifest = readPackage(files, folder)
    if (manifest !== null) return manifest.type === 'module'
  }
  return false
}

/** Each module is searched once: thousands of imports may name the same one, and it may have megabytes. */
const compiled = new WeakMap<Uint8Array, boolean>()

const isCompiled = (bytes: Uint8Array | undefined): boolean => {
  if (bytes === undefined) return false
  const known = compiled.get(bytes)
  if (known !== undefined) return known
  const text = new TextDecoder().decode(bytes)
  const isMarked = COMPILED.test(text) && !HAS_EXPORTS.test(text)
  compiled.set(bytes, isMarked)
  return isMarked
}

/** `node`: what Node gives. `either`: `exports.default`, and `module.exports` if there is none. */
export type DefaultRule = 'node' | 'either'

/**
 * Returns the rule by which an import takes the default of a CommonJS module, or null if that of esbuild applies. Authors write for
 * both: `import Client from 'x'` as bundlers read it, and `import loader from '@grpc/proto-loader'` as Node does.
 */
export const defaultRuleOf = (
  files: FileLookup,
  importer: string,
  path: string,
): DefaultRule | null => {
  if (!/\.c?js$/.test(path) || isNodeModule(files, path) || !isCompiled(files.get(path)))
    return null
  if (packageFolderOf(importer) === null) return 'either'
  return isNodeModule(files, importer) ? 'node' : null
}

/** A module between the two, with the default of that rule. @param path of the CommonJS module */
export const withDefault = (rule: DefaultRule, path: string): string => {
  const name = JSON.stringify(`/${path}`)
  const value = rule === 'node' ? 'all' : "'default' in Object(all) ? all.default : all"
  return `export * from ${name}\nconst all = require(${name})\nexport default ${value}`
}
