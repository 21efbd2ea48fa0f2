/** Reads one entry of a tar archive. */
import type { Header } from 'tar-stream'

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
