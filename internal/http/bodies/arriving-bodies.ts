/**
 * Limits the memory of bodies that are arriving. Senders that pause, who need no credential, could otherwise fill the memory of
 * this process with bodies that never end. When all bodies together need more, the one that has been arriving longest is
 * refused, because bodies of other senders end soon. Senders with and without a credential have half of the memory each, and
 * what the others leave of their half, so that neither displace the others from theirs.
 */

import { type AppError, unavailable } from '#core/error.ts'
import { joinBytes } from '#core/join-bytes.ts'

/** Smaller bodies are not counted: a connection costs as much. */
export const SMALL_BODY_BYTES = 16_384

/** `isKnown`: the sender has shown a valid credential. */
export type Sender = Readonly<{ isKnown: boolean }>

export type ArrivingBodies = Readonly<{
  /** Reads a body whole. @throws {AppError} unavailable: others need its memory; what `count` throws */
  read: (
    body: ReadableStream<Uint8Array>,
    count: (length: number) => void,
    sender: Sender,
  ) => Promise<Uint8Array<ArrayBuffer>>
}>

const tooMany = (): AppError =>
  unavailable('Too many bodies are on their way. Send this one again, faster.', { retryAfterS: 5 })

/** Parts that are joined at a time: the object of a part takes more memory than the part if a sender cuts its body small. */
const JOINED_PARTS = 256

type Body = Sender & { length: number; displace: () => void }

/** Reads the next part; null once the body is displaced. A promise of its own for each part leaves nothing behind. */
const readPart = (reader: ReadableStreamDefaultReader<Uint8Array>, body: Body) =>
  new Promise<Awaited<ReturnType<typeof reader.read>> | null>((resolve, reject) => {
    body.displace = () => resolve(null)
    reader.read().then(resolve, reject)
  })

export const createArrivingBodies = (maxBytes: number): ArrivingBodies => {
  /** By their arrival, the first first. */
  const known = { bodies: new Set<Body>(), held: 0 }
  const unknown = { bodies: new Set<Body>(), held: 0 }
  const groupOf = ({ isKnown }: Sender) => (isKnown ? known : unknown)
  const isArriving = (body: Body): boolean => groupOf(body).bodies.has(body)
  const add = (body: Body, length: number): void => {
    body.length += length
    groupOf(body).held += length
  }
  const leave = (body: Body): void => {
    if (groupOf(body).bodies.delete(body)) groupOf(body).held -= body.length
  }
  const makeRoom = (): void => {
    while (known.held + unknown.held > maxBytes) {
      const [first] = (unknown.held > maxBytes / 2 ? unknown : known).bodies
      if (first === undefined) return
      leave(first)
      first.displace()
    }
  }
  return {
    read: async (stream, count, { isKnown }) => {
      const body: Body = { isKnown, length: 0, displace: () => undefined }
      const joined: Uint8Array[] = []
      const parts: Uint8Array[] = []
      const reader = stream.getReader()
      groupOf(body).bodies.add(body)
      try {
        while (isArriving(body)) {
          // a body that is refused midway is left unread, because cancelling it would close the connection before the answer
          const part = await readPart(reader, body)
          // a part may have arrived together with the displacement; it must not count, because nothing would take it off again
          if (part === null || !isArriving(body)) break
          if (part.done) return joinBytes([...joined, ...parts])
          count(body.length + part.value.length)
          parts.push(part.value)
          if (parts.length === JOINED_PARTS) joined.push(joinBytes(parts.splice(0)))
          add(body, part.value.length)
          makeRoom()
        }
        throw tooMany()
      } finally {
        leave(body)
      }
    },
  }
}
