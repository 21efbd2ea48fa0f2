/** Limits the size of a folder of cached files by deleting the least recently used ones. Several processes may share the folder. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type CacheFolder = Readonly<{
  /** Created if missing; only this user may write to it. */
  folder: string
  maxBytes: number
}>

/** Share of the limit that a clean-up leaves in use, so that not every new file triggers one. */
const KEPT_SHARE = 0.8

type Entry = Readonly<{ path: string; bytes: number; usedAt: number }>

const listEntries = async (folder: string): Promise<readonly Entry[]> => {
  const names = await readdir(folder)
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      // another process may have deleted it
      const found = await stat(path).catch(() => null)
      return found === null ? null : { path, bytes: found.size, usedAt: found.mtimeMs }
    }),
  )
  return entries.filter((entry) => entry !== null)
}

/** Deletes the oldest files if the folder exceeds its limit. @returns the bytes that remain */
export const evictOldest = async ({ folder, maxBytes }: CacheFolder): Promise<number> => {
  const entries = await listEntries(folder)
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  if (bytes <= maxBytes) return bytes
  for (const entry of entries.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= maxBytes * KEPT_SHARE) break
    await rm(entry.path, { force: true })
    bytes -= entry.bytes
  }
  return bytes
}
