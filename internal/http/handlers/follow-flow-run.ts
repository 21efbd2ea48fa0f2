/** Sends each status of a flow run, and of each of its steps, as events until the run ends. */
import { isRunOver } from '#core/flow/run.ts'
import type { Deps } from '#service/deps.ts'
import { type RunProgress, readProgress } from '#service/flows/read-progress.ts'
import type { StreamEvent } from '../event-stream.ts'
import { type FollowRequest, subscribeToNews } from './next-hint.ts'

export async function* followFlowRun(
  deps: Pick<Deps, 'db' | 'hints'>,
  request: FollowRequest,
): AsyncGenerator<StreamEvent> {
  const news = subscribeToNews(deps, request, ['flowChanged'])
  const { id: flow_run_id } = request
  let seen: RunProgress | null = null
  try {
    while (!request.signal.aborted) {
      const before: RunProgress | null = seen
      const now: RunProgress | null = await news.read(() => readProgress(deps, request, before))
      if (now === null) return
      yield* stepEvents(flow_run_id, before, now)
      if (before?.status !== now.status) {
        yield { event: 'status', data: { flow_run_id, status: now.status } }
      }
      if (isRunOver(now.status)) return
      seen = now
      await news.next()
    }
  } finally {
    news.stop()
  }
}

function* stepEvents(
  flow_run_id: string,
  seen: RunProgress | null,
  now: RunProgress,
): Generator<StreamEvent> {
  for (const { index, key, status, done, total } of now.steps) {
    const before = seen?.steps.find((step) => step.index === index)
    if (before?.status === status && before.done === done) continue
    yield { event: 'step', data: { flow_run_id, index, key, status, done, total } }
  }
}
