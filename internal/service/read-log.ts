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
  findLogTail,
  LOG_START,
  type LogPosition,
  listLogChunks,
  listTimedChunksAfter,
  type TimedChunk,
} from '#store/jobs/log.ts'
import { takeTurn } from './portions/take-turn.ts'

type InWorkspace = Readonly<{ ws: string; id: string }>

/** Returns the last bytes. */
const tailOf = (bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> =>
  createTail(bytes.length - length)(bytes)

type InLog = Readonly<{ at: LogPosition }>

type Tail = Readonly<{ jobId: string; tailBytes: number | null }>

/** Reads the chunks that contain the tail, or all for null, oldest first, in turns. */
const readPages = async <Chunk extends InLog>(
  db: Database,
  { jobId, tailBytes }: Tail,
  list: (after: LogPosition) => Promise<readonly Chunk[]>,
): Promise<readonly Chunk[]> => {
  const all: Chunk[] = []
  for (let after = tailBytes === null ? LOG_START : await findLogTail(db, jobId, tailBytes); ; ) {
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
  const chunks = await readPages(db, { jobId, tailBytes }, (after) =>
    listLogChunks(db, jobId, after),
  )
  const bytes = joinBytes(chunks.map((chunk) => chunk.bytes))
  return tailBytes === null ? bytes : tailOf(bytes, tailBytes)
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

/** Reads the output in pieces, oldest first, those of one chunk in each turn. @param tailBytes null for everything */
export async function* readLogItems(
  db: Database,
  job: InWorkspace,
  tailBytes: number | null,
): AsyncGenerator<readonly LogItem[]> {
  const chunks = await readPages(db, { jobId: job.id, tailBytes }, (after) =>
    listTimedChunksAfter(db, job, after),
  )
  const written = chunks.reduce((sum, { chunk }) => sum + chunk.bytes.length, 0)
  const tail = createTail(tailBytes === null ? 0 : written - tailBytes)
  for (const { chunk } of chunks) {
    yield logItemsOf(chunk, tail)
    // a chunk may hold 4,096 pieces
    await takeTurn()
  }
}
