/**
 * Finds packages that need a native addon (machine code in a `.node` file, or sources that are compiled at
 * install). A job runs JavaScript and WebAssembly only. Pure.
 */
import { isJsonObject } from '#core/json/value.ts'
import { remedyFor } from '#core/packages/remedies.ts'
import type { FileLookup } from './file-lookup.ts'
import { type PackageManifest, readPackage } from './package-map.ts'

const PACKAGE_FOLDER = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\/(.+)$/

/** Returns the folder of the package that a file belongs to, or null when it belongs to the app itself. */
export const packageFolderOf = (path: string): string | null =>
  PACKAGE_FOLDER.exec(path)?.[1] ?? null

/** Returns the name of a package, such as `@scope/name`, from its folder. */
export const packageNameOf = (folder: string): string =>
  folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Whether a package.json has a field of node-gyp, node-pre-gyp, prebuild or napi-rs. */
const declaresNative = (manifest: PackageManifest | null): boolean =>
  manifest !== null &&
  (manifest.gypfile === true || isJsonObject(manifest.binary) || isJsonObject(manifest.napi))

/** Returns a function that finds out whether a package needs a native addon; it scans the app's files once. */
export const nativeAddons = (files: FileLookup): ((packageFolder: string) => boolean) => {
  const cache = new Map<string, boolean>()
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
    // `get` records the file as opened: a server that gets only such files must find it too
    if (files.get(`${folder}/binding.gyp`) !== undefined) return true
    byFile ??= foldersWithAddons()
    return byFile.has(folder) || declaresNative(readPackage(files, folder))
  }
  return (folder) => {
    const cached = cache.get(folder)
    if (cached !== undefined) return cached
    const isNative = look(folder)
    cache.set(folder, isNative)
    return isNative
  }
}

const ANY_REMEDY =
  'Use a package that is plain JavaScript or WebAssembly, or call a service over the network.'

/** Returns the message for an import of a native addon. @param what the package or file */
export const explainNative = (what: string): string =>
  `${JSON.stringify(what)} is a native addon: machine code that svc does not run. ${remedyFor(what) ?? ANY_REMEDY}`
