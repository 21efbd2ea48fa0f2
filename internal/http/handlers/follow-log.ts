/**
 * Sends a job's output until the job ends: `event: log`, and at last `event: end` with the status. The data of `log` is a
 * JSON text, or with format=json a list of pieces with time and stream. With a tail, the output so far begins with its last bytes.
 */

import { createTail, type LogTail } from '#core/job/log-tail.ts'
import { isTerminal } from '#core/job/transitions.ts'
import type { Deps } from '#service/deps.ts'
import { logItemsOf, readLogChunks, readTimedChunks } from '#service/read-log.ts'
import { LOG_START, type LogPosition } from '#store/jobs/log.ts'
import { findJobResult } from '#store/jobs/read.ts'
import type { StreamEvent } from '../event-stream.ts'
import { toLogItem } from '../views/log-items.ts'
import { type FollowRequest, subscribeToNews } from './next-hint.ts'

export type LogFormat = Readonly<{
  format: 'text' | 'json'
  /** How many bytes of the output so far are sent; null for all of it. */
  tailBytes: number | null
}>

type FollowDeps = Pick<Deps, 'db' | 'hints'>

/** Reads what was written after a position: where it ends, and the data of its event; null data has no event. */
type Read = (after: LogPosition) => Promise<readonly Readonly<{ at: LogPosition; data: unknown }>[]>

/** Returns the tail of all parts that there are when it is called first. */
const createTailOnce = (tailBytes: number | null) => {
  let tail: LogTail | null = null
  return (parts: readonly Uint8Array[]): LogTail => {
    const written = parts.reduce((sum, { length }) => sum + length, 0)
    tail ??= createTail(tailBytes === null ? 0 : written - tailBytes)
    return tail
  }
}

const readTexts = ({ db }: FollowDeps, { id }: FollowRequest, tailBytes: number | null): Read => {
  // a character may span two chunks
  const decoder = new TextDecoder()
  const tailOf = createTailOnce(tailBytes)
  return async (after) => {
    const chunks = await readLogChunks(db, id, after)
    const tail = tailOf(chunks.map(({ bytes }) => bytes))
    return chunks.map(({ at, bytes }) => {
      const text = decoder.decode(tail(new Uint8Array(bytes)), { stream: true })
      return { at, data: text === '' ? null : text }
    })
  }
}

const readPieces = (
  { db }: FollowDeps,
  { ws, id }: FollowRequest,
  tailBytes: number | null,
): Read => {
  const tailOf = createTailOnce(tailBytes)
  return async (after) => {
    const chunks = await readTimedChunks(db, { ws, id }, after)
    const tail = tailOf(chunks.map(({ chunk }) => chunk.bytes))
    return chunks.map(({ at, chunk }) => {
      const data = logItemsOf(chunk, tail).map(toLogItem)
      return { at, data: data.length === 0 ? null : data }
    })
  }
}

export async function* followLog(
  deps: FollowDeps,
  request: FollowRequest,
  { format, tailBytes }: LogFormat,
): AsyncGenerator<StreamEvent> {
  const news = subscribeToNews(deps, request, ['jobLogged', 'jobChanged'])
  const read = (format === 'json' ? readPieces : readTexts)(deps, request, tailBytes)
  let after: LogPosition = LOG_START
  try {
    while (!request.signal.aborted) {
      // read the status first: if the job has ended, its whole output is written already
      const job = await findJobResult(deps.db, request.ws, request.id)
      for (const { at, data } of await read(after)) {
        after = at
        if (data !== null) yield { event: 'log', data }
      }
      if (job === null || isTerminal(job.status)) {
        yield { event: 'end', data: { status: job?.status ?? 'unknown' } }
        return
      }
      await news.next()
    }
  } finally {
    news.stop()
  }
}
