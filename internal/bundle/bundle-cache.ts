/**
 * Caches bundles on a worker's disk by content hash, so that a worker with a remote database downloads each bundle once.
 * A file is checked against its hash when it is read; one that was changed or truncated is deleted. When the folder
 * exceeds its limit, the least recently used files are deleted. Several workers may share the folder.
 */
import type { BundledCode } from './bundle-hash.ts'
import { cachedFiles } from './cached-files.ts'
import type { CacheFolder } from './evict-oldest.ts'
import { hashParts } from './hash-files.ts'
import { runStepsInTurns } from './steps.ts'

export interface BundleCache {
  find(hash: string): Promise<BundledCode | null>
  /** Stores a bundle. A full or missing disk is not an error: the bundle is downloaded again next time. */
  keep(hash: string, bundle: BundledCode): Promise<void>
}

const HASH = /^[0-9a-f]{64}$/

/** Separates code and map, in a file as in the hash of a bundle. */
const SEPARATOR = '\0'

/** @returns null if the bundle has another hash */
const readBundle = async (bytes: Buffer, hash: string): Promise<BundledCode | null> => {
  if ((await runStepsInTurns(hashParts([bytes]))) !== hash) return null
  const end = bytes.indexOf(SEPARATOR)
  return { code: bytes.toString('utf8', 0, end), sourceMap: bytes.toString('utf8', end + 1) }
}

/** Creates the cache; it touches the disk only when it is used. */
export const createBundleCache = (options: CacheFolder): BundleCache => {
  const files = cachedFiles(options)
  return {
    find: async (hash) =>
      HASH.test(hash) ? files.find(hash, (bytes) => readBundle(bytes, hash)) : null,
    keep: async (hash, bundle) => {
      // code that contains one is rare, and not cached
      if (!HASH.test(hash) || bundle.code.includes(SEPARATOR)) return
      await files.keep(hash, Buffer.from(bundle.code + SEPARATOR + bundle.sourceMap))
    },
  }
}
