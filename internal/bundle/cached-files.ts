/** Files of a cache folder, by name. Several processes may share the folder, and only this user may write to it. */
import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '#disk/make-folder.ts'
import { type CacheFolder, evictOldest } from './evict-oldest.ts'

export interface CachedFiles {
  /** Returns a file that passes a check, and counts it as used; deletes one that does not pass. */
  find<Found>(
    name: string,
    check: (bytes: Buffer) => Promise<Found | null> | Found | null,
  ): Promise<Found | null>
  /** A full or missing disk is not an error: the file is fetched again next time. */
  keep(name: string, bytes: Uint8Array): Promise<void>
}

/** Opens the files of a folder; it touches the disk only when it is used. */
export const cachedFiles = (options: CacheFolder): CachedFiles => {
  const { folder, maxBytes } = options
  /** Bytes of all files; null until they were first counted. */
  let total: number | null = null

  const write = async (name: string, bytes: Uint8Array): Promise<void> => {
    makeFolder(folder, 0o700)
    const draft = join(folder, `.${randomUUID()}`)
    try {
      await writeFile(draft, bytes, { mode: 0o600 })
      await rename(draft, join(folder, name))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    total = total === null ? await evictOldest(options) : total + bytes.length
    if (total > maxBytes) total = await evictOldest(options)
  }

  return {
    find: async (name, check) => {
      const path = join(folder, name)
      const bytes = await readFile(path).catch(() => null)
      if (bytes === null) return null
      const found = await check(bytes)
      if (found === null) {
        await rm(path, { force: true })
        return null
      }
      const now = new Date()
      await utimes(path, now, now).catch(() => undefined)
      return found
    },
    keep: (name, bytes) => write(name, bytes).catch(() => undefined),
  }
}
