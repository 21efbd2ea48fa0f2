/**
 * Sends a job's output until the job ends: `event: log`, and at last `event: end` with the status. The data of `log` is a
 * JSON text, or with format=json a list of pieces with time and stream.
 */
import { isTerminal } from '#core/job/transitions.ts'
import type { Deps } from '#service/deps.ts'
import { logItemsOf } from '#service/read-log.ts'
import { type LogPosition, listLogChunks, listTimedChunksAfter } from '#store/jobs/log.ts'
import { findJobResult } from '#store/jobs/read.ts'
import type { StreamEvent } from '../event-stream.ts'
import { type FollowRequest, subscribeToNews } from './next-hint.ts'

export type LogFormat = 'text' | 'json'

type FollowDeps = Pick<Deps, 'db' | 'hints'>

/** Reads what was written after a position: where it ends, and the data of its event; null data has no event. */
type Read = (after: LogPosition) => Promise<readonly Readonly<{ at: LogPosition; data: unknown }>[]>

const readTexts = ({ db }: FollowDeps, { id }: FollowRequest): Read => {
  // a character may span two chunks
  const decoder = new TextDecoder()
  return async (after) =>
    (await listLogChunks(db, id, after)).map(({ at, bytes }) => {
      const text = decoder.decode(bytes, { stream: true })
      return { at, data: text === '' ? null : text }
    })
}

const readPieces =
  ({ db }: FollowDeps, { ws, id }: FollowRequest): Read =>
  async (after) =>
    (await listTimedChunksAfter(db, { ws, id }, after)).map(({ at, chunk }) => ({
      at,
      data: logItemsOf(chunk).map((item) => ({ ...item, at: new Date(item.at).toISOString() })),
    }))

export async function* followLog(
  deps: FollowDeps,
  request: FollowRequest,
  format: LogFormat,
): AsyncGenerator<StreamEvent> {
  const news = subscribeToNews(deps, request, ['jobLogged', 'jobChanged'])
  const read = (format === 'json' ? readPieces : readTexts)(deps, request)
  let after: LogPosition = { attempt: 0, seq: -1 }
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
