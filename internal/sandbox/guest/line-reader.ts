/**
 * Reads the lines of the host. Between jobs the guest waits in a blocking read. So whatever a job left behind does
 * not run until the next job of the same key runs. It uses no processor time and writes nothing.
 */
import type { GuestIo } from './io/guest-io.ts'

export interface LineReader {
  /** Blocks the whole process until there is a line. Null at the end of the input. */
  nextSync(): string | null
  /** Like `nextSync` without blocking. Only one call may wait at a time. */
  next(): Promise<string | null>
  /** Clears the memory that the input was read to, because user code might get to see it. */
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
