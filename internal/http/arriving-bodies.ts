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

/** Parts that are joined at a time: the object of a part takes more memory than the part if a sender cuts its body small. */
const JOINED_PARTS = 256

const join = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

type Body = { length: number; displace: () => void }

/** Reads the next part; null once the body is displaced. A promise of its own for each part leaves nothing behind. */
const readPart = (reader: ReadableStreamDefaultReader<Uint8Array>, body: Body) =>
  new Promise<Awaited<ReturnType<typeof reader.read>> | null>((resolve, reject) => {
    body.displace = () => resolve(null)
    reader.read().then(resolve, reject)
  })

export const createArrivingBodies = (maxBytes: number): ArrivingBodies => {
  /** By their arrival, the first first. */
  const arriving = new Set<Body>()
  let held = 0
  return {
    read: async (stream, count) => {
      const body: Body = { length: 0, displace: () => undefined }
      const leave = (): void => {
        if (arriving.delete(body)) held -= body.length
      }
      const joined: Uint8Array[] = []
      const parts: Uint8Array[] = []
      const reader = stream.getReader()
      arriving.add(body)
      try {
        while (arriving.has(body)) {
          // a body that is refused midway is left unread, because cancelling it would close the connection before the answer
          const part = await readPart(reader, body)
          // a part may have arrived together with the displacement; it must not count, because nothing would take it off again
          if (part === null || !arriving.has(body)) break
          if (part.done) return join([...joined, ...parts])
          count(body.length + part.value.length)
          parts.push(part.value)
          if (parts.length === JOINED_PARTS) joined.push(join(parts.splice(0)))
          body.length += part.value.length
          held += part.value.length
          for (const first of arriving) {
            if (held <= maxBytes) break
            arriving.delete(first)
            held -= first.length
            first.displace()
          }
        }
        throw tooMany()
      } finally {
        leave()
      }
    },
  }
}
