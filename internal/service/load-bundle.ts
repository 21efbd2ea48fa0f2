/** Loads a bundle by its hash: from the worker's disk cache if there is one, else from the database. */
import type { BundleCache } from '#bundle/bundle-cache.ts'
import { type Bundle, findBundle } from '#store/apps/bundles.ts'
import type { Deps } from './deps.ts'

export type BundleSource = Pick<Deps, 'db'> &
  Readonly<{
    /** Absent if the database is a local file. */
    bundleCache?: BundleCache | undefined
  }>

/** Loads a bundle. @throws {DatabaseError} @throws {Error} it does not exist */
export const loadBundle = async (
  { db, bundleCache }: BundleSource,
  hash: string,
): Promise<Bundle> => {
  const cached = await bundleCache?.find(hash)
  if (cached !== undefined && cached !== null) return cached
  const bundle = await findBundle(db, hash)
  if (bundle === null) throw new Error(`Bundle ${hash} is not in the database.`)
  await bundleCache?.keep(hash, bundle)
  return bundle
}
