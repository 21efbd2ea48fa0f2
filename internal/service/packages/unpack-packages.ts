/**
 * Unpacks fetched packages for one use. Together they may have 200 MiB, so only one app's are in memory at a time, and
 * workspaces take turns.
 */
import type { AppFiles } from '#bundle/app-files.ts'
import { newPackageBudget, readPackageArchive } from '#bundle/package-archive.ts'
import { createFairTurns } from '#core/fairness/turns.ts'
import type { FetchedPackage } from './fetch-packages.ts'

const take = createFairTurns()

const unpack = async (packages: readonly FetchedPackage[]): Promise<AppFiles> => {
  const files = new Map<string, Uint8Array>()
  const budget = newPackageBudget()
  for (const one of packages) {
    const unpacked = await readPackageArchive(one, budget)
    for (const [path, bytes] of unpacked) files.set(`${one.folder}/${path}`, bytes)
  }
  return files
}

/**
 * Calls `act` with the files of the packages, by path in the app.
 * @param owner the workspace
 * @throws {AppError} unprocessable `bad_package`, `too_many_packages`
 */
export const withPackages = <T>(
  packages: readonly FetchedPackage[],
  act: (files: AppFiles) => Promise<T>,
  owner = '',
): Promise<T> =>
  packages.length === 0 ? act(new Map()) : take(owner, async () => act(await unpack(packages)))
