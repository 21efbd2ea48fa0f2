/**
 * Caches bundles on a worker's disk by content hash, so that a worker with a remote database downloads each bundle once.
 * A file is checked against its hash when it is read; one that was changed or truncated is deleted. When the folder
 * exceeds its limit, the least recently used files are deleted. Several workers may share the folder.
 */
import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '#disk/make-folder.ts'
import { type BundledCode, hashBundle } from './bundle-hash.ts'
import { type CacheFolder, evictOldest } from './evict-oldest.ts'

export interface BundleCache {
  find(hash: string): Promise<BundledCode | null>
  /** Stores a bundle. A full or missing disk is not an error: the bundle is downloaded again next time. */
  keep(hash: string, bundle: BundledCode): Promise<void>
}

const HASH = /^[0-9a-f]{64}$/
/** Creates the cache; it touches the disk only when it is used. */
export const createBundleCache = (options: CacheFolder): BundleCache => {
  const { folder, maxBytes } = options
  /** Total size; null until it was first counted. */
  let bytes: number | null = null

  const find = async (hash: string): Promise<BundledCode | null> => {
    if (!HASH.test(hash)) return null
    const path = join(folder, hash)
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text === null) return null
    const end = text.indexOf('\0')
    const bundle = { code: text.slice(0, end), sourceMap: text.slice(end + 1) }
    if (end < 0 || hashBundle(bundle) !== hash) {
      await rm(path, { force: true })
      return null
    }
    const now = new Date()
    await utimes(path, now, now).catch(() => undefined)
    return bundle
  }

  const write = async (hash: string, text: string): Promise<void> => {
    makeFolder(folder, 0o700)
    const draft = join(folder, `.${randomUUID()}`)
    try {
      await writeFile(draft, text, { mode: 0o600 })
      await rename(draft, join(folder, hash))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    const size = Buffer.byteLength(text)
    bytes = bytes === null ? await evictOldest(options) : bytes + size
    if (bytes > maxBytes) bytes = await evictOldest(options)
  }

  return {
    find,
    keep: async (hash, bundle) => {
      // a NUL separates code and map, so code that contains one (rare) is not cached
      if (!HASH.test(hash) || bundle.code.includes('\0')) return
      await write(hash, `${bundle.code}\0${bundle.sourceMap}`).catch(() => undefined)
    },
  }
}
