/** The log of a job as the guest writes it: text by `ctx.log` and the console, cut early when it will be cut anyway. */
import type { GuestIo } from './io/guest-io.ts'

const METHODS = {
  log: 'stdout',
  info: 'stdout',
  debug: 'stdout',
  dir: 'stdout',
  warn: 'stderr',
  error: 'stderr',
} as const
/** A frame stays small, so that the host takes it in one piece. */
const MAX_PIECE = 32 * 1024

const isHighSurrogate = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800

/** Cuts a text into pieces without cutting a character in two. */
export const piecesOf = (text: string): readonly string[] => {
  if (text.length <= MAX_PIECE) return [text]
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + MAX_PIECE
    const stop = end < text.length && isHighSurrogate(text, end - 1) ? end - 1 : end
    pieces.push(text.slice(at, stop))
    at = stop
  }
  return pieces
}

/** Sends output of the console to `write`, in the format of the runtime's own console. */
export const ownConsole = (
  format: GuestIo['format'],
  write: (stream: 'stdout' | 'stderr', text: string) => void,
): void => {
  for (const [name, stream] of Object.entries(METHODS)) {
    Object.defineProperty(console, name, {
      value: (...values: unknown[]) =>
        write(stream, format(name === 'dir' ? values.slice(0, 1) : values)),
      writable: true,
      configurable: true,
    })
  }
  Object.defineProperty(console, 'trace', {
    value: (...values: unknown[]) => {
      const stack = new Error('trace').stack ?? ''
      write('stderr', `Trace: ${format(values)}\n${stack.split('\n').slice(2).join('\n')}`)
    },
    writable: true,
    configurable: true,
  })
}
