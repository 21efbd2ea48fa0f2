/** The log of a job on the guest's side: text of `ctx.log` and the console, in pieces. */
import type { GuestIo } from './io/guest-io.ts'

const METHODS = {
  log: 'stdout',
  info: 'stdout',
  debug: 'stdout',
  dir: 'stdout',
  warn: 'stderr',
  error: 'stderr',
} as const
/** Keeps each frame small, so that the host can take it in one piece. */
const MAX_PIECE = 32 * 1024

const isHighSurrogate = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800

/** Splits a text into pieces without splitting a character. */
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

const assertionOf = ([first, ...rest]: readonly unknown[]): readonly unknown[] => {
  if (first === undefined && rest.length === 0) return ['Assertion failed']
  // a text may hold the places of the values after it
  if (typeof first === 'string') return [`Assertion failed: ${first}`, ...rest]
  return ['Assertion failed:', first, ...rest]
}

/** Redirects the console to `write`, in the format of the runtime's own console. */
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
  Object.defineProperty(console, 'assert', {
    value: (condition?: unknown, ...values: unknown[]) => {
      if (!condition) write('stderr', format(assertionOf(values)))
    },
    writable: true,
    configurable: true,
  })
  Object.defineProperty(console, 'trace', {
    value: (...values: unknown[]) => {
      const stack = new Error('trace').stack ?? ''
      write('stderr', `Trace: ${format(values)}\n${stack.split('\n').slice(2).join('\n')}`)
    },
    writable: true,
    configurable: true,
  })
}
