/**
 * Keeps the content of the files that were served last without an encoding. To decompress a file takes ten times as long as the
 * rest of its request, for which no caller needs a credential.
 */
import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
import QuickLRU from 'quick-lru'

/** Few clients accept no encoding. All files together have 9 MB. */
const MOST_FILES = 64

/**
 * Returns the content of a file.
 * @param etag changes with the content
 * @param source the compressed content
 */
export type Decompress = (etag: string, source: Uint8Array<ArrayBuffer>) => Buffer<ArrayBuffer>

/** @param decompress replaces Brotli in tests */
export const createDecompress = (
  decompress: (source: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> = brotliDecompressSync,
): Decompress => {
  const kept = new QuickLRU<string, Buffer<ArrayBuffer>>({ maxSize: MOST_FILES })
  return (etag, source) => {
    const known = kept.get(etag)
    if (known !== undefined) return known
    const content = Buffer.from(decompress(source))
    kept.set(etag, content)
    return content
  }
}
