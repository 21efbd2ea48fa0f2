/**
 * Reads a job's output, as bytes or in pieces with time and stream: all of it, or a tail that begins with a whole character.
 */

import { readLogParts } from '#core/job/log-parts.ts'
import type { LogStream } from '#core/job/log-stream.ts'
import { createTail, type LogTail } from '#core/job/log-tail.ts'
import { joinBytes } from '#core/join-bytes.ts'
import type { Database } from '#store/database.ts'
import {
  CHUNKS_AT_ONCE,
  LOG_START,
  type LogPosition,
  listLogChunks,
  listLogTail,
  listTimedChunks,
  listTimedChunksAfter,
  type TimedChunk,
} from '#store/jobs/log.ts'
import { takeTurn } from './portions/take-turn.ts'

type InWorkspace = Readonly<{ ws: string; id: string }>

/** Returns the last bytes. */
const tailOf = (bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> =>
  createTail(bytes.length - length)(bytes)

type InLog = Readonly<{ at: LogPosition }>

/** Reads all chunks, oldest first, in turns. */
const readPages = async <Chunk extends InLog>(
  list: (after: LogPosition) => Promise<readonly Chunk[]>,
): Promise<readonly Chunk[]> => {
  const all: Chunk[] = []
  for (let after = LOG_START; ; ) {
    const page = await list(after)
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < CHUNKS_AT_ONCE) return all
    after = last.at
    await takeTurn()
  }
}

/** Reads the output. @param tailBytes null for everything */
export const readLog = async (
  db: Database,
  jobId: string,
  tailBytes: number | null,
): Promise<Uint8Array<ArrayBuffer>> => {
  if (tailBytes !== null)
    return tailOf(joinBytes(await listLogTail(db, jobId, tailBytes)), tailBytes)
  const chunks = await readPages((after) => listLogChunks(db, jobId, after))
  return joinBytes(chunks.map(({ bytes }) => bytes))
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

const readTimed = async (
  db: Database,
  job: InWorkspace,
  tailBytes: number | null,
): Promise<readonly TimedChunk[]> =>
  tailBytes === null
    ? (await readPages((after) => listTimedChunksAfter(db, job, after))).map(({ chunk }) => chunk)
    : listTimedChunks(db, job, tailBytes)

/** Reads the output in pieces, oldest first, those of one chunk in each turn. @param tailBytes null for everything */
export async function* readLogItems(
  db: Database,
  job: InWorkspace,
  tailBytes: number | null,
): AsyncGenerator<readonly LogItem[]> {
  const chunks = await readTimed(db, job, tailBytes)
  const written = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const tail = createTail(tailBytes === null ? 0 : written - tailBytes)
  for (const chunk of chunks) {
    yield logItemsOf(chunk, tail)
    // a chunk may hold 4,096 pieces
    await takeTurn()
  }
}
