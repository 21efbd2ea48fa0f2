/**
 * Sends a job's output until the job ends: `event: log`, and at last `event: end` with the status. The data of `log` is a
 * JSON text, or with format=json a list of pieces with time and stream. With a tail, the output so far begins with its last bytes.
 */

import { createTail, type LogTail } from '#core/job/log-tail.ts'
import { isTerminal } from '#core/job/transitions.ts'
import type { Deps } from '#service/deps.ts'
import { takeTurn } from '#service/portions/take-turn.ts'
import { logItemsOf } from '#service/read-log.ts'
import {
  countLogBytes,
  LOG_START,
  type LogPosition,
  listLogChunks,
  listTimedChunksAfter,
} from '#store/jobs/log.ts'
import { findJobHead } from '#store/jobs/read.ts'
import type { StreamEvent } from '../event-stream.ts'
import { toLogItem } from '../views/log-items.ts'
import { type FollowRequest, subscribeToNews } from './next-hint.ts'

export type LogFormat = Readonly<{
  format: 'text' | 'json'
  /** How many bytes of the output so far are sent; null for all of it. */
  tailBytes: number | null
}>

type FollowDeps = Pick<Deps, 'db' | 'hints'>

/** A part of the output: where it ends, and the data of its event; null data has no event. */
type Part = Readonly<{ at: LogPosition; toData: () => unknown }>

/** Lists the next parts after a position. */
type List = (after: LogPosition) => Promise<readonly Part[]>

/**
 * Chunks that a follower holds in memory until its reader has taken them: up to 128 KiB. A workspace may have a thousand followers
 * whose callers read nothing.
 */
const CHUNKS_HELD = 2

const listTexts = ({ db }: FollowDeps, { id }: FollowRequest, tail: LogTail): List => {
  // a character may span two chunks
  const decoder = new TextDecoder()
  return async (after) =>
    (await listLogChunks(db, id, after, CHUNKS_HELD)).map(({ at, bytes }) => ({
      at,
      toData: () => {
        const text = decoder.decode(tail(new Uint8Array(bytes)), { stream: true })
        return text === '' ? null : text
      },
    }))
}

const listPieces =
  ({ db }: FollowDeps, { ws, id }: FollowRequest, tail: LogTail): List =>
  async (after) =>
    (await listTimedChunksAfter(db, { ws, id }, after, CHUNKS_HELD)).map(({ at, chunk }) => ({
      at,
      toData: () => {
        const items = logItemsOf(chunk, tail).map(toLogItem)
        return items.length === 0 ? null : items
      },
    }))

/** Yields the parts that there are after a position, with a turn for other work after each. */
async function* partsAfter(list: List, start: LogPosition): AsyncGenerator<Part> {
  for (let after = start; ; ) {
    const parts = await list(after)
    for (const part of parts) {
      yield part
      after = part.at
      await takeTurn()
    }
    if (parts.length < CHUNKS_HELD) return
  }
}

export async function* followLog(
  deps: FollowDeps,
  request: FollowRequest,
  { format, tailBytes }: LogFormat,
): AsyncGenerator<StreamEvent> {
  const news = subscribeToNews(deps, request, ['jobLogged', 'jobChanged'])
  try {
    const written =
      tailBytes === null ? 0 : await news.read(() => countLogBytes(deps.db, request.id))
    const tail = createTail(written - (tailBytes ?? 0))
    const listParts = (format === 'json' ? listPieces : listTexts)(deps, request, tail)
    const list: List = (position) => news.read(() => listParts(position))
    let after: LogPosition = LOG_START
    while (!request.signal.aborted) {
      // read the status first: if the job has ended, its whole output is written already
      const job = await news.read(() => findJobHead(deps.db, request.ws, request.id))
      for await (const { at, toData } of partsAfter(list, after)) {
        after = at
        const data = toData()
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
