/**
 * Remembers what the packages of a folder add to the archive of a deployment. To find out, `svc deploy` unpacks all packages
 * of the lock file and bundles the folder, which takes most of its time; as long as only other lines change, the answer stays
 * the same. It is a guess: where it is wrong the server refuses the archive, and `svc deploy` finds out again.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isVendored } from '#bundle/app-files.ts'
import { evictOldest } from '#bundle/evict-oldest.ts'
import type { FileLookup } from '#bundle/file-lookup.ts'
import { mentionsIn } from '#core/packages/package-specifier.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { VERSION } from '#node/version.ts'

const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/i
const MAX_BYTES = 100 * 1_024 * 1_024
const HASH_BYTES = 32

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/**
 * What decides which files of packages the bundles open: of code the strings that may name a package, of other files all.
 * @returns null if the folder has packages of its own, which may change without a trace
 */
export const packagesKey = (files: FileLookup): string | null => {
  const hash = createHash('sha256').update(VERSION)
  for (const path of [...files.keys()].toSorted()) {
    if (isVendored(path)) return null
    const bytes = files.get(path) ?? new Uint8Array(0)
    const part = CODE.test(path)
      ? JSON.stringify(mentionsIn(new TextDecoder().decode(bytes)))
      : bytes
    hash.update(`${JSON.stringify(path)}${part.length}:`).update(part)
  }
  return hash.digest('hex')
}

export interface PackedPackages {
  /** The part of an archive for a key, checked against its hash. */
  find(key: string): Promise<Uint8Array | null>
  /** A full or read-only disk is not an error: the part is made again next time. */
  keep(key: string, part: Uint8Array): Promise<void>
}

/** @param folder touched only when it is used */
export const createPackedPackages = (folder: string): PackedPackages => {
  const write = async (key: string, part: Uint8Array): Promise<void> => {
    makeFolder(folder, 0o700)
    const draft = join(folder, `.${randomUUID()}`)
    try {
      await writeFile(draft, Buffer.concat([sha256(part), part]), { mode: 0o600 })
      await rename(draft, join(folder, key))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    await evictOldest({ folder, maxBytes: MAX_BYTES })
  }
  return {
    find: async (key) => {
      const path = join(folder, key)
      const bytes = await readFile(path).catch(() => null)
      if (bytes === null) return null
      const part = new Uint8Array(bytes.subarray(HASH_BYTES))
      if (!sha256(part).equals(bytes.subarray(0, HASH_BYTES))) return null
      const now = new Date()
      await utimes(path, now, now).catch(() => undefined)
      return part
    },
    keep: (key, part) => write(key, part).catch(() => undefined),
  }
}
