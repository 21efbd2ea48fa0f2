/**
 * Limits the memory of bodies that are arriving. Senders that pause, who need no credential, could otherwise fill the memory of
 * this process with bodies that never end. When all bodies together need more, the one that has been arriving longest is
 * refused, because bodies of other senders end soon.
 */
import { type AppError, unavailable } from '#core/error.ts'

/** Smaller bodies are not counted: a connection costs as much. */
export const SMALL_BODY_BYTES = 16_384

export type ArrivingBodies = Readonly<{
  /** Reads a body whole. @throws {AppError} unavailable: others need its memory; what `count` throws */
  read: (
    body: ReadableStream<Uint8Array>,
    count: (length: number) => void,
  ) => Promise<Uint8Array<ArrayBuffer>>
}>

const tooMany = (): AppError =>
  unavailable('Too many bodies are on their way. Send this one again, faster.', { retryAfterS: 5 })

const join = (parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export const createArrivingBodies = (maxBytes: number): ArrivingBodies => {
  /** By their arrival, the first first. */
  const arriving = new Set<{ length: number; displace: () => void }>()
  let held = 0
  return {
    read: async (stream, count) => {
      const displaced = Promise.withResolvers<null>()
      const body = { length: 0, displace: () => displaced.resolve(null) }
      const leave = (): void => {
        if (arriving.delete(body)) held -= body.length
      }
      const parts: Uint8Array[] = []
      const reader = stream.getReader()
      arriving.add(body)
      try {
        for (;;) {
          // a body that is refused midway is left unread, because cancelling it would close the connection before the answer
          const part = await Promise.race([reader.read(), displaced.promise])
          // a part may have arrived together with the displacement; it must not count, because nothing would take it off again
          if (part === null || !arriving.has(body)) throw tooMany()
          if (part.done) return join(parts, body.length)
          count(body.length + part.value.length)
          parts.push(part.value)
          body.length += part.value.length
          held += part.value.length
          for (const first of arriving) {
            if (held <= maxBytes) break
            arriving.delete(first)
            held -= first.length
            first.displace()
          }
        }
      } finally {
        leave()
      }
    },
  }
}
