/** A job's output until the job ends: `event: log` with a JSON text, at last `event: end` with the status. */
import { isTerminal } from '#core/job/transitions.ts'
import type { Deps } from '#service/deps.ts'
import { type LogPosition, listLogChunks } from '#store/jobs/log.ts'
import { findJobResult } from '#store/jobs/read.ts'
import type { StreamEvent } from '../event-stream.ts'
import { type FollowRequest, subscribeToNews } from './next-hint.ts'

export async function* followLog(
  deps: Pick<Deps, 'db' | 'hints'>,
  request: FollowRequest,
): AsyncGenerator<StreamEvent> {
  const news = subscribeToNews(deps, request, ['jobLogged', 'jobChanged'])
  const decoder = new TextDecoder()
  let after: LogPosition = { attempt: 0, seq: -1 }
  try {
    while (!request.signal.aborted) {
      // the status is read first: what is written before the end is then surely read
      const job = await findJobResult(deps.db, request.ws, request.id)
      for (const { at, bytes } of await listLogChunks(deps.db, request.id, after)) {
        after = at
        const text = decoder.decode(bytes, { stream: true })
        if (text !== '') yield { event: 'log', data: text }
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
