/** Packages that another one uses only if the app installs them, such as the drivers of knex. Pure. */
import type { FileLookup } from './file-lookup.ts'
import { packageFolderOf } from './native-addons.ts'
import { readPackage } from './resolve-import.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

/** Whether the package of the importing file declares the imported package as optional (`peerDependenciesMeta`). */
export const isOptionalPeer = (files: FileLookup, importer: string, specifier: string): boolean => {
  const folder = packageFolderOf(importer)
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
  if (folder === null) return false
  const peers = readPackage(files, folder)?.peerDependenciesMeta
  return memberOf(memberOf(peers, name), 'optional') === true
}
