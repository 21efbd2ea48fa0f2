/**
 * The standard input that a script sees: at its end. The real one carries the messages of the host, so a script that read it would
 * wait until its timeout. Compiled into the guest only.
 */
import type { Readable } from 'node:stream'

/** A later job of the same process also gets the events of the end, although an earlier job has read the stream. */
const createNoInput = (Stream: typeof Readable): Readable => {
  const input = Object.assign(Stream.from([]), { fd: 0 })
  input.on('newListener', (event: string, listener: () => void) => {
    const isLate = input.readableEnded && (event === 'end' || event === 'close')
    if (isLate) queueMicrotask(listener)
  })
  return input
}

/** @param load loads `Readable` when the script first uses its input, because loading it takes time */
export const hideInput = (process: object, load: () => typeof Readable): void => {
  let input: Readable | undefined
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    enumerable: true,
    get: () => {
      input ??= createNoInput(load())
      return input
    },
  })
}
