/**
 * Sends each status of a job until its end: `event: status` with `{job_id, status, attempt}`. The first is the current one.
 * Progress that the job reports is sent as `event: progress` with `{job_id, fraction, note}`.
 */

import { type JobProgress, progressBetween } from '#core/job/progress.ts'
import { isSameProgress, type Progress } from '#core/job/progress-note.ts'
import { isTerminal } from '#core/job/transitions.ts'
import type { Deps } from '#service/deps.ts'
import { findJobProgress } from '#store/jobs/read.ts'
import type { StreamEvent } from '../event-stream.ts'
import { type FollowRequest, subscribeToNews } from './next-hint.ts'

export async function* followJob(
  deps: Pick<Deps, 'db' | 'hints'>,
  request: FollowRequest,
): AsyncGenerator<StreamEvent> {
  const news = subscribeToNews(deps, request, ['jobChanged'])
  let seen: JobProgress | null = null
  let shown: Progress | null = null
  try {
    while (!request.signal.aborted) {
      const now = await news.read(() => findJobProgress(deps.db, request.ws, request.id))
      if (now === null) return
      for (const { status, attempt } of progressBetween(seen, now)) {
        yield { event: 'status', data: { job_id: request.id, status, attempt } }
      }
      if (now.progress !== null && !isSameProgress(now.progress, shown)) {
        yield { event: 'progress', data: { job_id: request.id, ...now.progress } }
      }
      if (isTerminal(now.status)) return
      seen = now
      shown = now.progress
      await news.next()
    }
  } finally {
    news.stop()
  }
}
