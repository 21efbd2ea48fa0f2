/**
 * Reads the lines of the host. Between jobs the guest waits in a blocking read, so what a job left behind does not run
 * until the next job of the same key runs, burns no processor time and writes nothing.
 */
import type { GuestIo } from './io/guest-io.ts'

export interface LineReader {
  /** Null at the end of the input. Blocks the whole process until there is a line. */
  nextSync(): string | null
  /** The same without blocking; only one may wait at a time. */
  next(): Promise<string | null>
  /** Wipes what was read from the memory that it was read to: user code may come to see that. */
  forget(): void
}

const LINE_FEED = 0x0a
const CHUNK_BYTES = 64 * 1024

/** Splits the input of the guest into lines. */
export const createLineReader = (io: Pick<GuestIo, 'read' | 'readSync'>): LineReader => {
  const decoder = new TextDecoder()
  const chunk = new Uint8Array(CHUNK_BYTES)
  const lines: string[] = []
  let parts: string[] = []

  const take = (length: number): void => {
    let at = 0
    while (at < length) {
      const end = chunk.indexOf(LINE_FEED, at)
      if (end === -1 || end >= length) {
        parts.push(decoder.decode(chunk.subarray(at, length), { stream: true }))
        return
      }
      parts.push(decoder.decode(chunk.subarray(at, end), { stream: true }))
      lines.push(parts.join(''))
      parts = []
      at = end + 1
    }
  }

  return {
    forget: () => void chunk.fill(0),
    nextSync: () => {
      while (lines.length === 0) {
        const length = io.readSync(chunk)
        if (length === null || length === 0) return null
        take(length)
      }
      return lines.shift() ?? null
    },
    next: async () => {
      while (lines.length === 0) {
        const length = await io.read(chunk)
        if (length === null || length === 0) return null
        take(length)
      }
      return lines.shift() ?? null
    },
  }
}
