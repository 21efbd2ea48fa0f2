/**
 * Keeps the content of the files that were served last without an encoding. To decompress a file takes ten times as long as the
 * rest of its request, for which no caller needs a credential.
 */
import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
import { MIB } from '#core/byte-units.ts'

/** Few clients accept no encoding, and the largest file has half a MiB. */
const MAX_BYTES = 4 * MIB

/**
 * Returns the content of a file.
 * @param etag changes with the content
 * @param source the compressed content
 */
export type Decompress = (etag: string, source: Uint8Array<ArrayBuffer>) => Buffer<ArrayBuffer>

/** @param decompress replaces Brotli in tests */
export const createDecompress = (
  decompress: (source: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> = brotliDecompressSync,
  maxBytes = MAX_BYTES,
): Decompress => {
  /** By ETag, the one that was used longest ago first. */
  const kept = new Map<string, Buffer<ArrayBuffer>>()
  let bytes = 0
  const drop = (etag: string, content: Buffer): void => {
    kept.delete(etag)
    bytes -= content.length
  }
  const makeRoom = (): void => {
    for (const [etag, content] of kept) {
      if (bytes <= maxBytes) return
      drop(etag, content)
    }
  }
  return (etag, source) => {
    const known = kept.get(etag)
    if (known !== undefined) drop(etag, known)
    const content = known ?? Buffer.from(decompress(source))
    kept.set(etag, content)
    bytes += content.length
    makeRoom()
    return content
  }
}
