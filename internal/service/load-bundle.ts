/** A bundle by its hash: from the worker's disk where it keeps one, else from the database. */
import type { BundleCache } from '#bundle/bundle-cache.ts'
import { type Bundle, findBundle } from '#store/bundles.ts'
import type { Deps } from './deps.ts'

export type BundleSource = Pick<Deps, 'db'> &
  Readonly<{
    /** Absent: the database is a file of this machine. */
    bundleCache?: BundleCache | undefined
  }>

/** @throws {DatabaseError} */
export const loadBundle = async (
  { db, bundleCache }: BundleSource,
  hash: string,
): Promise<Bundle> => {
  const near = await bundleCache?.find(hash)
  if (near !== undefined && near !== null) return near
  const bundle = await findBundle(db, hash)
  if (bundle === null) throw new Error(`Bundle ${hash} is not in the database.`)
  await bundleCache?.keep(hash, bundle)
  return bundle
}
