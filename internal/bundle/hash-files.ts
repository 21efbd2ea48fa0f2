/** Hashes of files and bundles, computed in steps, because 20 MiB take 50 ms. */
import { createHash } from 'node:crypto'
import type { AppFiles } from './app-files.ts'
import { runStepsInTurns, type Steps } from './steps.ts'

/** Bytes of a step. */
const HASHED_AT_ONCE = 2 * 1_024 * 1_024

/** Returns the SHA-256 of the parts in a row, hex. */
export function* hashParts(parts: Iterable<Uint8Array>): Steps<string> {
  const hash = createHash('sha256')
  let rest = HASHED_AT_ONCE
  for (const bytes of parts) {
    for (let at = 0; at < bytes.length; ) {
      const portion = bytes.subarray(at, at + rest)
      hash.update(portion)
      at += portion.length
      rest -= portion.length
      if (rest > 0) continue
      rest = HASHED_AT_ONCE
      yield
    }
  }
  return hash.digest('hex')
}

function* describe(files: AppFiles): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    yield encoder.encode(`${path}\0${bytes.length}\0`)
    yield bytes
  }
}

/** Returns the SHA-256 of names and contents, sorted by name, hex. */
export const hashFiles = (files: AppFiles): Steps<string> => hashParts(describe(files))

/** Returns `sha256:<hex>` of the files of a deployment. */
export const contentHash = async (files: AppFiles): Promise<string> =>
  `sha256:${await runStepsInTurns(hashFiles(files))}`
