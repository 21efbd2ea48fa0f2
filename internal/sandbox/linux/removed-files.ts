/** What a process keeps in files that it has removed. They take space until it closes them, and no folder lists them. */
import { readdirSync, type Stats, statSync } from 'node:fs'

const BLOCK_BYTES = 512

const listDescriptors = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    // the process has ended, or this is not Linux
    return []
  }
}

const factsOf = (descriptor: string): Stats | null => {
  try {
    return statSync(descriptor)
  } catch {
    // it was closed
    return null
  }
}

/** @returns bytes on disk; 0 if that is unknown */
export const removedBytes = (pid: number | null): number => {
  const folder = `/proc/${pid}/fd`
  // several descriptors may be of one file
  const files = new Map<string, number>()
  for (const descriptor of listDescriptors(folder)) {
    const facts = factsOf(`${folder}/${descriptor}`)
    if (facts === null || !facts.isFile() || facts.nlink > 0) continue
    files.set(`${facts.dev} ${facts.ino}`, facts.blocks * BLOCK_BYTES)
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0)
}
