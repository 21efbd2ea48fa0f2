/**
 * Reads a job's output, as bytes or in pieces with time and stream: all of it, or a tail that begins with a whole character.
 */

import { readLogParts } from '#core/job/log-parts.ts'
import type { LogStream } from '#core/job/log-stream.ts'
import { createTail, type LogTail } from '#core/job/log-tail.ts'
import type { Database } from '#store/database.ts'
import { listLogChunks, listLogTail, listTimedChunks, type TimedChunk } from '#store/jobs/log.ts'

const concat = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Returns the last bytes. */
const tailOf = (bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> =>
  createTail(bytes.length - length)(bytes)

/** Reads the output. @param tailBytes null for everything */
export const readLog = async (
  db: Database,
  jobId: string,
  tailBytes: number | null,
): Promise<Uint8Array<ArrayBuffer>> => {
  if (tailBytes === null) return concat((await listLogChunks(db, jobId)).map(({ bytes }) => bytes))
  return tailOf(concat(await listLogTail(db, jobId, tailBytes)), tailBytes)
}

export type LogItem = Readonly<{
  /** When the worker received it, milliseconds since 1970. */
  at: number
  stream: LogStream
  text: string
}>

type Piece = Omit<LogItem, 'text'> & Readonly<{ bytes: Uint8Array<ArrayBuffer> }>

/** Returns the pieces of a chunk. A chunk without a list of its pieces is one piece, at the start of the attempt. */
const piecesOf = ({ bytes, parts, startedAt }: TimedChunk): readonly Piece[] => {
  const whole = new Uint8Array(bytes)
  if (parts === null) return [{ at: startedAt, stream: 'stdout', bytes: whole }]
  let from = 0
  return readLogParts(parts).map(({ at, stream, bytes: length }) => {
    from += length
    return { at, stream, bytes: whole.subarray(from - length, from) }
  })
}

/** Returns the content of a chunk, in pieces. @param tail what is kept of them, in order */
export const logItemsOf = (chunk: TimedChunk, tail: LogTail): readonly LogItem[] => {
  const decoder = new TextDecoder()
  return piecesOf(chunk).flatMap(({ at, stream, bytes }) => {
    const kept = tail(bytes)
    return kept.length === 0 ? [] : [{ at, stream, text: decoder.decode(kept) }]
  })
}

const ALL_BYTES = Number.MAX_SAFE_INTEGER

/** Reads the output in pieces, oldest first. @param tailBytes null for everything */
export const readLogItems = async (
  db: Database,
  job: Readonly<{ ws: string; id: string }>,
  tailBytes: number | null,
): Promise<readonly LogItem[]> => {
  const decoder = new TextDecoder()
  const chunks = await listTimedChunks(db, job, tailBytes ?? ALL_BYTES)
  let left = tailBytes ?? ALL_BYTES
  return chunks
    .flatMap(piecesOf)
    .reverse()
    .flatMap(({ at, stream, bytes }) => {
      const kept = left === 0 ? bytes.subarray(bytes.length) : tailOf(bytes, left)
      left = Math.max(left - bytes.length, 0)
      return kept.length === 0 ? [] : [{ at, stream, text: decoder.decode(kept) }]
    })
    .reverse()
}
