/**
 * Finds the app's own packages by name, such as the workspaces of npm: folders with a package.json that states the name. The
 * links to them in node_modules are no files of an app. Pure.
 */
import { isJsonObject, parseJsonOrNull } from '#core/json/value.ts'
import { isVendored } from './app-files.ts'
import type { FileLookup } from './file-lookup.ts'
import { folderOf } from './module-path.ts'

/** Returns the folder of the app's own package of this name; undefined if it has none. */
export type FindWorkspace = (name: string) => string | undefined

/** Larger ones describe no workspace. */
const MAX_BYTES = 65_536

const nameOf = (bytes: Uint8Array | undefined): string | null => {
  if (bytes === undefined || bytes.length > MAX_BYTES) return null
  const manifest = parseJsonOrNull(new TextDecoder().decode(bytes))
  return isJsonObject(manifest) && typeof manifest.name === 'string' ? manifest.name : null
}

const readWorkspaces = (app: FileLookup): ReadonlyMap<string, string> => {
  const folders = new Map<string, string>()
  const paths = [...app.keys()].filter((path) => path.endsWith('/package.json'))
  for (const path of paths.filter((each) => !isVendored(each)).toSorted()) {
    const name = nameOf(app.get(path))
    if (name !== null && !folders.has(name)) folders.set(name, folderOf(path))
  }
  return folders
}

/** Reads them once, when the first one is looked for. @param app whose files do not change while the result is in use */
export const workspaces = (app: FileLookup): FindWorkspace => {
  let folders: ReadonlyMap<string, string> | null = null
  return (name) => {
    folders ??= readWorkspaces(app)
    return folders.get(name)
  }
}
