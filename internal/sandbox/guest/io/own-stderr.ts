/**
 * Gives the log what a script writes to `process.stderr`, as loggers do. The process itself has one pipe for both outputs, so
 * that they stay in order, and without this the host would take such text for stdout. Compiled into the guest only.
 */
import type { Writable } from 'node:stream'

const isStream = (value: unknown): value is Writable =>
  typeof value === 'object' && value !== null && '_write' in value

const redirect = (stream: Writable, write: (text: string) => void): void => {
  const decoder = new TextDecoder()
  const native = stream._write.bind(stream)
  Object.assign(stream, {
    _writev: null,
    _write: (chunk: unknown, encoding: BufferEncoding, done: () => void) => {
      const isBytes = chunk instanceof Uint8Array
      // Node leaves a text as it is, and only the stream itself decodes those of other encodings
      if (!isBytes && !/^utf-?8$/i.test(encoding)) return native(chunk, encoding, done)
      const text = isBytes ? decoder.decode(chunk, { stream: true }) : String(chunk)
      if (text !== '') write(text)
      done()
    },
  })
}

/** Redirects `process.stderr` when a script first uses it, because making the stream takes time. */
export const ownStderr = (process: object, write: (text: string) => void): void => {
  const found = Object.getOwnPropertyDescriptor(process, 'stderr')
  let isOwn = false
  const owned = (): unknown => {
    const stream: unknown = found?.get?.call(process)
    if (!isOwn && isStream(stream)) {
      isOwn = true
      redirect(stream, write)
    }
    return stream
  }
  if (found?.get !== undefined) Object.defineProperty(process, 'stderr', { ...found, get: owned })
}
