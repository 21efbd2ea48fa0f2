/**
 * Remembers which package files a folder adds to the archive of a deployment. To find them, `svc deploy` unpacks all packages
 * of the lock file and bundles the folder, which takes most of its time. As long as imports stay the same, the files do as
 * well. The result is a guess: if it is wrong, the server refuses the archive, and `svc deploy` bundles again.
 */
import { createHash } from 'node:crypto'
import { isVendored } from '#bundle/app-files.ts'
import { cachedFiles } from '#bundle/cached-files.ts'
import type { FileLookup } from '#bundle/file-lookup.ts'
import { isCode, mentionsIn } from '#core/packages/package-specifier.ts'
import { VERSION } from '#node/version.ts'

const MAX_BYTES = 100 * 1_024 * 1_024
const HASH_BYTES = 32

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/**
 * Hashes what decides which package files the bundles use: the strings in code that may name
 * a package, and all other files whole.
 * @returns null if the folder contains packages itself, whose changes the hash would not show
 */
export const packagesKey = (files: FileLookup): string | null => {
  const hash = createHash('sha256').update(VERSION)
  for (const path of [...files.keys()].toSorted()) {
    if (isVendored(path)) return null
    const bytes = files.get(path) ?? new Uint8Array(0)
    const part = isCode(path) ? JSON.stringify(mentionsIn(new TextDecoder().decode(bytes))) : bytes
    hash.update(`${JSON.stringify(path)}${part.length}:`).update(part)
  }
  return hash.digest('hex')
}

export interface PackedPackages {
  /** The part of an archive for a key, checked against its hash. */
  find(key: string): Promise<Uint8Array | null>
  /** Ignores a full or read-only disk: the part is then made again next time. */
  keep(key: string, part: Uint8Array): Promise<void>
}

/** @param folder created at the first write */
export const createPackedPackages = (folder: string): PackedPackages => {
  const files = cachedFiles({ folder, maxBytes: MAX_BYTES })
  return {
    find: (key) =>
      files.find(key, (bytes) => {
        const part = new Uint8Array(bytes.subarray(HASH_BYTES))
        return sha256(part).equals(bytes.subarray(0, HASH_BYTES)) ? part : null
      }),
    keep: (key, part) => files.keep(key, Buffer.concat([sha256(part), part])),
  }
}
