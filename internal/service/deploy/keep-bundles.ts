/**
 * Stores bundles before the deployment or the functions that refer to them. The next deploy reuses the bundles of a failed one, or a
 * sweep deletes them (store/apps/unused-bundles.ts).
 */
import { Buffer } from 'node:buffer'
import type { BundledEntry } from '#bundle/bundle-entries.ts'
import { findMissingBundles, insertBundle } from '#store/apps/bundles.ts'
import { bundleNotes } from '#store/apps/unused-bundles.ts'
import type { Deps } from '../deps.ts'
import { createSmallWrites } from '../portions/small-writes.ts'
import { requireStorable } from './require-storable.ts'

type Hashed = Pick<BundledEntry, 'entrypoint' | 'hash' | 'loadCode'>

/** @throws {AppError} too_large: the database takes no such bundle */
export const keepBundles = async (
  { db }: Pick<Deps, 'db'>,
  bundles: readonly Hashed[],
): Promise<void> => {
  const byHash = new Map(bundles.map((bundle) => [bundle.hash, bundle]))
  const writes = createSmallWrites({ db })
  const hashes = [...byHash.keys()]
  // before the missing ones are found, so that no sweep deletes another one after that
  await bundleNotes.renewNoted(db, hashes)
  for (const hash of await findMissingBundles(db, hashes)) {
    const entry = byHash.get(hash)
    if (entry === undefined) continue
    const bundle = await entry.loadCode()
    for (const text of [bundle.code, bundle.sourceMap]) {
      requireStorable(db, `The bundle of ${entry.entrypoint}`, Buffer.byteLength(text))
    }
    const size = bundle.code.length + bundle.sourceMap.length
    await writes.add([insertBundle(hash, bundle), bundleNotes.note(hash)], size)
  }
  await writes.end()
}
