/**
 * Bundles functions of a folder as the server does: if the folder has a lock file and no node_modules, its packages come from
 * the registry. `svc deploy` uploads the package files that the bundles use, so the server fetches nothing.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppFiles } from '#bundle/app-files.ts'
import { type BundledFunction, bundleFunctions } from '#bundle/bundle-functions.ts'
import { type FileLookup, overlay } from '#bundle/file-lookup.ts'
import { FUNCTIONS_FOLDER, type FunctionSource } from '#bundle/function-files.ts'
import { loadConfig } from '#config/config.ts'
import { environmentValue } from '#config/remote-environment.ts'
import { openPackages } from '#node/open-packages.ts'
import type { FetchedPackage } from '#service/packages/fetch-packages.ts'
import { needsPackages } from '#service/packages/plan-packages.ts'
import { withPackages } from '#service/packages/unpack-packages.ts'

/** Adds files that a listing of the folder omits: the functions, and .npmrc. */
const allFiles = (
  folder: string,
  functions: readonly FunctionSource[],
  shared: FileLookup,
): FileLookup => {
  const files = new Map<string, Uint8Array>(
    functions.flatMap(({ name, files }) =>
      [...files].map(([path, bytes]) => [`${FUNCTIONS_FOLDER}${name}/${path}`, bytes] as const),
    ),
  )
  const npmrc = join(folder, '.npmrc')
  if (existsSync(npmrc)) files.set('.npmrc', new Uint8Array(readFileSync(npmrc)))
  return overlay(files, shared)
}

const fetchFor = async (files: FileLookup): Promise<readonly FetchedPackage[]> => {
  if (!(await needsPackages(files))) return []
  const { config } = loadConfig({ flags: {} })
  return openPackages(config)({
    files,
    owner: '',
    readVariable: async (name) => environmentValue(name),
    readGrants: async () => config.egressAllow,
  })
}

/**
 * Calls `act` with the files of the packages that the folder's lock files name and that are missing in node_modules.
 * @param shared the folder's files outside its functions
 * @throws {AppError} unprocessable: a package has a fault; bad_gateway `registry_unreachable`
 */
export const withFolderPackages = async <T>(
  folder: string,
  functions: readonly FunctionSource[],
  shared: FileLookup,
  act: (fetched: AppFiles) => Promise<T>,
): Promise<T> => withPackages(await fetchFor(allFiles(folder, functions, shared)), act)

/**
 * @param shared the folder's files outside its functions
 * @throws {AppError} unprocessable: faults of the code or a package; bad_gateway `registry_unreachable`
 */
export const bundleWithPackages = (
  folder: string,
  functions: readonly FunctionSource[],
  shared: FileLookup,
): Promise<readonly BundledFunction[]> =>
  withFolderPackages(folder, functions, shared, (fetched) =>
    bundleFunctions(functions, overlay(fetched, shared)),
  )
