/** Bundles code with the packages of project/package-lock.json as a deployment does: fetched from npm's registry by their hashes. */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppFiles } from '#bundle/app-files.ts'
import { type BundledEntry, bundleEntries } from '#bundle/bundle-entries.ts'
import { createPackageCache } from '#bundle/package-cache.ts'
import { createFetchPackages } from '#service/packages/fetch-packages.ts'
import { withPackages } from '#service/packages/unpack-packages.ts'

/** Tarballs are kept between runs, because their hashes name them. */
const fetchPackages = createFetchPackages({
  registry: 'https://registry.npmjs.org/',
  cache: createPackageCache({
    folder: join(tmpdir(), 'svc-test-package-cache'),
    maxBytes: 1_000_000_000,
  }),
})

const ownFiles = (sources: Readonly<Record<string, string>>): AppFiles => {
  const files = new Map<string, Uint8Array>()
  for (const name of ['package.json', 'package-lock.json']) {
    files.set(name, new Uint8Array(readFileSync(join(import.meta.dirname, 'project', name))))
  }
  for (const [at, code] of Object.values(sources).entries()) {
    files.set(`actions/${at}.ts`, new TextEncoder().encode(code))
  }
  return files
}

/**
 * @param sources code of actions, by any name
 * @returns the bundles, by the same names
 * @throws {AppError} as a deployment does
 */
export const bundleFromLock = async (
  sources: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, BundledEntry>> => {
  const files = ownFiles(sources)
  const names = Object.keys(sources)
  const packages = await fetchPackages({
    files,
    owner: 'test',
    readVariable: async () => null,
    readGrants: async () => [],
  })
  const entries = await withPackages(packages, (fetched) =>
    bundleEntries(
      new Map([...fetched, ...files]),
      names.map((_, at) => `actions/${at}.ts`),
    ),
  )
  return new Map(entries.map((entry, at) => [names[at] ?? '', entry]))
}
