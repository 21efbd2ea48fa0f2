/**
 * Caches bundles on a worker's disk by content hash, so that a worker with a remote database downloads each bundle once.
 * A file is checked against its hash when it is read; one that was changed or truncated is deleted. When the folder
 * exceeds its limit, the least recently used files are deleted. Several workers may share the folder.
 */
import { type BundledCode, hashBundle } from './bundle-hash.ts'
import { cachedFiles } from './cached-files.ts'
import type { CacheFolder } from './evict-oldest.ts'

export interface BundleCache {
  find(hash: string): Promise<BundledCode | null>
  /** Stores a bundle. A full or missing disk is not an error: the bundle is downloaded again next time. */
  keep(hash: string, bundle: BundledCode): Promise<void>
}

const HASH = /^[0-9a-f]{64}$/

/** @returns null if the bundle has another hash */
const readBundle = (bytes: Buffer, hash: string): BundledCode | null => {
  const text = bytes.toString()
  const end = text.indexOf('\0')
  const bundle = { code: text.slice(0, end), sourceMap: text.slice(end + 1) }
  return end < 0 || hashBundle(bundle) !== hash ? null : bundle
}

/** Creates the cache; it touches the disk only when it is used. */
export const createBundleCache = (options: CacheFolder): BundleCache => {
  const files = cachedFiles(options)
  return {
    find: async (hash) =>
      HASH.test(hash) ? files.find(hash, (bytes) => readBundle(bytes, hash)) : null,
    keep: async (hash, bundle) => {
      // a NUL separates code and map, so code that contains one (rare) is not cached
      if (!HASH.test(hash) || bundle.code.includes('\0')) return
      await files.keep(hash, Buffer.from(`${bundle.code}\0${bundle.sourceMap}`))
    },
  }
}
