/** Packages that another one uses only if the app installs them, such as the drivers of knex. Pure. */
import type { FileLookup } from './file-lookup.ts'
import { packageFolderOf } from './native-addons.ts'
import { readPackage } from './package-map.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

/** Whether the package of the importing file runs without the imported one: it declares it as optional, or does not declare it. */
export const isOptionalPeer = (files: FileLookup, importer: string, specifier: string): boolean => {
  const folder = packageFolderOf(importer)
  const [name] = /^(?:@[^/]+\/)?[^/.:#][^/]*/.exec(specifier) ?? []
  const manifest = folder === null ? null : readPackage(files, folder)
  if (name === undefined || manifest === null) return false
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifest
  if (memberOf(memberOf(peerDependenciesMeta, name), 'optional') === true) return true
  return ![dependencies, peerDependencies].some((names) => memberOf(names, name) !== undefined)
}
