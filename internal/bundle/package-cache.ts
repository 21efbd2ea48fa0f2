/**
 * Caches tarballs of packages on disk, by hash. A file is checked against its hash whenever it is read, so the folder need
 * not be trusted; a file that was changed or truncated is deleted and fetched again.
 */
import { createHash } from 'node:crypto'
import type { Integrity } from '#core/packages/integrity.ts'
import { cachedFiles } from './cached-files.ts'
import type { CacheFolder } from './evict-oldest.ts'

/** Lets other work run. */
type TakeTurn = () => Promise<void>

/** Bytes to hash in one turn, which takes up to 8 ms. */
const TURN_BYTES = 4 * 1_024 * 1_024

/** Whether content has the hash that a lock file names. A package has up to 50 MiB, so it is hashed in turns. */
export const hasIntegrity = async (
  bytes: Uint8Array,
  { algorithm, digest }: Integrity,
  takeTurn: TakeTurn,
): Promise<boolean> => {
  const hash = createHash(algorithm)
  for (let at = 0; at < bytes.length; at += TURN_BYTES) {
    if (at > 0) await takeTurn()
    hash.update(bytes.subarray(at, at + TURN_BYTES))
  }
  return hash.digest('base64') === digest
}

export type CachedPackage = Readonly<{
  integrity: Integrity
  /** Separates packages of private registries by workspace; empty for the shared registry. */
  owner: string
}>

export interface PackageCache {
  find(wanted: CachedPackage, takeTurn: TakeTurn): Promise<Uint8Array | null>
  /** Stores a verified tarball. A full or missing disk is not an error: the tarball is fetched again next time. */
  keep(wanted: CachedPackage, bytes: Uint8Array): Promise<void>
}

const fileNameOf = ({ integrity: { algorithm, digest }, owner }: CachedPackage): string =>
  createHash('sha256').update(`${owner}\0${algorithm}-${digest}`).digest('hex')

/** Creates the cache; it touches the disk only when it is used. */
export const createPackageCache = (options: CacheFolder): PackageCache => {
  const files = cachedFiles(options)
  return {
    find: (wanted, takeTurn) =>
      files.find(fileNameOf(wanted), async (bytes) =>
        (await hasIntegrity(bytes, wanted.integrity, takeTurn)) ? bytes : null,
      ),
    keep: (wanted, bytes) => files.keep(fileNameOf(wanted), bytes),
  }
}
