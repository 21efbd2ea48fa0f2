/** How the bundler reads an app's files: by name, one at a time, so that a folder on disk is not read whole. */
import { limit } from '#core/limit.ts'
import type { AppFiles } from './app-files.ts'

export type FileLookup = Pick<AppFiles, 'has' | 'get' | 'keys'>

export const MAX_OPENED_BYTES = limit(
  'app.opened_bytes',
  20 * 1_024 * 1_024,
  'bytes',
  'Sources that the bundles of an app open, packages included.',
)

export interface OpenedFiles extends FileLookup {
  /** Bytes of each file that was read, by path. */
  readonly opened: ReadonlyMap<string, number>
  isOverLimit(): boolean
  /** Reads a file without a record. */
  peek(path: string): Uint8Array | undefined
}

/** Wraps a lookup so that it records which files were read, with their sizes in bytes. */
export const recordOpened = (files: FileLookup): OpenedFiles => {
  const opened = new Map<string, number>()
  let total = 0
  return {
    opened,
    has: (path) => files.has(path),
    keys: () => files.keys(),
    get: (path) => {
      const bytes = files.get(path)
      if (bytes === undefined || opened.has(path)) return bytes
      opened.set(path, bytes.length)
      total += bytes.length
      return bytes
    },
    isOverLimit: () => total > MAX_OPENED_BYTES,
    peek: (path) => files.get(path),
  }
}

/** Combines two sets of files; a path in the first hides the same path of the second. */
export const overlay = (above: AppFiles, below: FileLookup): FileLookup => ({
  has: (path) => above.has(path) || below.has(path),
  get: (path) => above.get(path) ?? below.get(path),
  keys: () => new Set([...above.keys(), ...below.keys()]).keys(),
})
