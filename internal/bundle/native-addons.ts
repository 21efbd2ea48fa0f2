/**
 * Packages that need a native addon (machine code in a `.node` file, or sources that are compiled at install). A job runs
 * JavaScript and WebAssembly only. Pure.
 */
import type { FileLookup } from './file-lookup.ts'

const PACKAGE_FOLDER = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\/(.+)$/

/** The folder of the package that a file belongs to; null: it belongs to the app itself. */
export const packageFolderOf = (path: string): string | null =>
  PACKAGE_FOLDER.exec(path)?.[1] ?? null

export const packageNameOf = (folder: string): string =>
  folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What node-gyp, node-pre-gyp, prebuild and napi-rs ask of a package.json. */
const saysNative = (manifest: unknown): boolean =>
  isObject(manifest) &&
  (manifest.gypfile === true || isObject(manifest.binary) || isObject(manifest.napi))

const parse = (bytes: Uint8Array | undefined): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

/** Answers whether the package in a folder needs a native addon; the app's list of files is looked through once. */
export const nativeAddons = (files: FileLookup): ((packageFolder: string) => boolean) => {
  const known = new Map<string, boolean>()
  let byFile: ReadonlySet<string> | null = null
  const foldersWithAddons = (): ReadonlySet<string> => {
    const folders = new Set<string>()
    for (const path of files.keys()) {
      if (!path.endsWith('.node')) continue
      const folder = packageFolderOf(path)
      if (folder !== null) folders.add(folder)
    }
    return folders
  }
  const look = (folder: string): boolean => {
    if (files.has(`${folder}/binding.gyp`)) return true
    byFile ??= foldersWithAddons()
    return byFile.has(folder) || saysNative(parse(files.get(`${folder}/package.json`)))
  }
  return (folder) => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const isNative = look(folder)
    known.set(folder, isNative)
    return isNative
  }
}

export const explainNative = (what: string): string =>
  `${JSON.stringify(what)} is a native addon: machine code that svc does not run. Use a package that is plain JavaScript or WebAssembly, or call a service over the network.`
