/** Reads tar archives of strangers: headers of limited size, and one entry at a time. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Extract, extract, type Header } from 'tar-stream'
import { AppError } from '#core/error.ts'

/** Bytes of one extended header: a long path and the extended attributes of a file. */
const MAX_HEADER_BYTES = 64 * 1_024
/** Bytes of all extended headers, which take 0.1 s per MiB: 600 for each file of `node_modules`. */
const MAX_HEADERS_BYTES = 32 * 1_024 * 1_024

/**
 * Creates a reader of entries that refuses large extended headers. tar-stream decodes up to 4 MiB of them in one turn of the event
 * loop, and copies a global one for each entry, so global headers are ignored.
 */
const extractEntries = (): Extract => {
  const tar = extract()
  const decode: unknown = Reflect.get(tar, '_decodeLongHeader')
  if (typeof decode !== 'function') throw new TypeError('tar-stream decodes headers elsewhere.')
  let left = MAX_HEADERS_BYTES
  const decodeLimited = (bytes: Uint8Array): void => {
    left -= bytes.length
    if (bytes.length > MAX_HEADER_BYTES || left < 0) throw new RangeError('A header is too large.')
    Reflect.apply(decode, tar, [bytes])
    Reflect.set(tar, '_paxGlobal', null)
  }
  return Object.assign(tar, { _decodeLongHeader: decodeLimited })
}

export type Unpacking = Readonly<{
  /** Reads all entries. */
  read: (entries: Extract) => Promise<void>
  /** Passes on the unpacked bytes, and throws when there are too many. */
  bounded: (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>
  /** Creates the error for bytes that are not a complete tar.gz archive. */
  damaged: (cause: unknown) => AppError
}>

/** Bytes per step of gunzip: the default of 16 KiB takes a third more time. */
const CHUNK_BYTES = 256 * 1_024

/** Unpacks a tar.gz archive in memory. @throws {AppError} of `read` or `bounded`, or `damaged` */
export const unpack = async (
  archive: Uint8Array,
  { read, bounded, damaged }: Unpacking,
): Promise<void> => {
  const entries = extractEntries()
  const ends = await Promise.allSettled([
    read(entries),
    pipeline(Readable.from([archive]), createGunzip({ chunkSize: CHUNK_BYTES }), bounded, entries),
  ])
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  // the side that failed first has the reason; the other only reports that it was stopped
  const refusal = reasons.find((reason) => reason instanceof AppError)
  if (refusal !== undefined) throw refusal
  if (reasons.length > 0) throw damaged(reasons[0])
}

type Entry = AsyncIterable<unknown> & Readonly<{ header: Header }>

/**
 * Returns the size of an entry. tar-stream reads a broken base-256 size as null, and then waits for the entry's end for ever.
 * @throws {TypeError} the header has no size
 */
export const entrySize = ({ size = 0 }: Pick<Header, 'size'>): number => {
  if (!Number.isFinite(size)) throw new TypeError('The header of an entry has no size.')
  return size
}

/**
 * Copies each piece when it arrives. `node:stream/consumers` copies the whole file several times in one turn of the event loop,
 * which takes 0.7 s for 190 MiB. The size in the header must be within a limit, because the memory is reserved at once.
 */
export const readEntry = async (entry: Entry): Promise<Uint8Array> => {
  const bytes = new Uint8Array(entrySize(entry.header))
  let at = 0
  for await (const piece of entry) {
    if (!(piece instanceof Uint8Array)) throw new TypeError('A piece of an entry is not binary.')
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
