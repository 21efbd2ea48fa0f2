/** Reads a stream by byte counts. Each message between a reader and its host is a count followed by that many bytes. */
import { Buffer } from 'node:buffer'

const COUNT_BYTES = 4

/** Packs a text: a count, followed by that many bytes. */
export const toFrame = (text: string): Buffer => {
  const body = Buffer.from(text, 'utf8')
  const frame = Buffer.alloc(COUNT_BYTES + body.length)
  frame.writeUInt32BE(body.length, 0)
  frame.set(body, COUNT_BYTES)
  return frame
}

export interface ByteReader {
  /** @returns null if the stream ended before */
  read(count: number): Promise<Uint8Array | null>
  /** Reads a text packed by `toFrame`. Null if the stream ended before, or if the text is larger than allowed. */
  readText(maxBytes: number): Promise<string | null>
}

/** Reads exact numbers of bytes from a stream of chunks of any size. */
export const createByteReader = (source: AsyncIterable<Uint8Array>): ByteReader => {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)

  const read = async (count: number): Promise<Uint8Array | null> => {
    const whole = new Uint8Array(count)
    let filled = 0
    while (filled < count) {
      if (rest.length === 0) {
        const next = await chunks.next()
        if (next.done === true) return null
        rest = next.value
      }
      const part = rest.subarray(0, count - filled)
      whole.set(part, filled)
      filled += part.length
      rest = rest.subarray(part.length)
    }
    return whole
  }

  const readText = async (maxBytes: number): Promise<string | null> => {
    const head = await read(COUNT_BYTES)
    if (head === null) return null
    const count = Buffer.from(head).readUInt32BE(0)
    const body = count > maxBytes ? null : await read(count)
    return body === null ? null : new TextDecoder().decode(body)
  }
  return { read, readText }
}
