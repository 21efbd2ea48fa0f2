/** Records spans of what has ended: attempts with the wait before them, durable steps, flow runs with their steps. */
import { type AttemptEnd, attemptOf } from '#core/job/attempt.ts'
import { TERMINAL_STATUSES } from '#core/job/transitions.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { findTracedRun, listRunSteps, listTracedSteps, type TracedStep } from '#store/traces.ts'
import type { Deps } from './deps.ts'

type SpanDeps = Pick<Deps, 'db' | 'spans'>

/** Steps of one job or run. */
const MOST_STEPS = 1_000

const stepSpans = (
  { spans }: SpanDeps,
  { parent, steps }: Readonly<{ parent: string; steps: readonly TracedStep[] }>,
): void => {
  for (const { name, status, startedAt, completedAt } of steps) {
    if (completedAt === null) continue
    spans.record({
      name: `step ${name}`,
      kind: 'internal',
      traceparent: spans.child(parent),
      parent,
      startedAt,
      endedAt: completedAt,
      attributes: { 'svc.step': name, 'svc.status': status },
      isError: status === 'failure' || status === 'failed',
    })
  }
}

export type EndedAttempt = Readonly<{
  job: ClaimedJob
  /** The attempt's own span. */
  traceparent: string
  end: AttemptEnd
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
}>

/** Records an attempt, its wait in the queue, and at the end of the job its durable steps. Never throws. */
export const recordAttempt = async (
  deps: SpanDeps,
  { job, traceparent, end, startedAt, endedAt }: EndedAttempt,
): Promise<void> => {
  const { spans, db } = deps
  const attributes = {
    'messaging.system': 'svc',
    'messaging.message.id': job.id,
    'svc.workspace': job.ws,
    'svc.app': job.app,
    'svc.action': job.action,
    'svc.attempt': attemptOf(job.attempt),
  }
  const { traceparent: parent } = job
  spans.record({
    name: `queue ${job.app}/${job.action}`,
    kind: 'internal',
    traceparent: spans.child(parent ?? traceparent),
    parent: parent ?? traceparent,
    startedAt: Math.min(job.runAt, startedAt),
    endedAt: startedAt,
    attributes,
    isError: false,
  })
  spans.record({
    name: `attempt ${job.app}/${job.action}`,
    kind: 'consumer',
    traceparent,
    parent,
    startedAt,
    endedAt,
    attributes: { ...attributes, 'svc.status': end },
    isError: end === 'failure',
  })
  if (!TERMINAL_STATUSES.some((status) => status === end)) return
  const steps = await listTracedSteps(db, job, MOST_STEPS).catch(() => [])
  stepSpans(deps, { parent: traceparent, steps })
}

/** Records a flow run that has ended, with its steps. Never throws. */
export const recordRun = async (
  deps: SpanDeps,
  run: Readonly<{ ws: string; id: string }>,
): Promise<void> => {
  const { spans, db } = deps
  const found = await findTracedRun(db, run).catch(() => null)
  if (found === null) return
  const { traceparent, parent, app, flow, status } = found
  spans.record({
    name: `flow ${app}/${flow}`,
    kind: 'internal',
    traceparent,
    parent,
    startedAt: found.createdAt,
    endedAt: found.completedAt,
    attributes: {
      'svc.workspace': run.ws,
      'svc.flow_run': run.id,
      'svc.app': app,
      'svc.flow': flow,
      'svc.status': status,
    },
    isError: status === 'failed',
  })
  const steps = await listRunSteps(db, run.id, MOST_STEPS).catch(() => [])
  stepSpans(deps, { parent: traceparent, steps })
}
