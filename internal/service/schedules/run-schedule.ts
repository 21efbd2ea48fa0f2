/** Starts what a schedule starts, when its caller asks for it [schedules 2.7]. The fire times of the schedule stay as they are. */
import type { JsonValue } from '#core/json/value.ts'
import type { Schedule } from '#store/schedules/schedules.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { startRunUnconditionally } from '../flows/start-run.ts'
import { type EnqueueDeps, type EnqueueRequest, enqueueJob } from '../queue/enqueue-job.ts'

export type RunRequest = Readonly<{
  schedule: Schedule
  /** What `ctx.trigger.fireTime` is, in milliseconds since 1970. */
  fireTime: number
}> &
  Pick<
    EnqueueRequest,
    'createdBy' | 'permissionedAs' | 'holdsAppsWrite' | 'traceparent' | 'idempotency'
  >

export type ScheduleRun = Readonly<{
  made: Readonly<{ jobId?: string; flowRunId?: string }>
  /** Whether the idempotency key was used before. */
  replayed: boolean
}>

/**
 * Queues the job or starts the flow run of a schedule, for its input and what is deployed now. Neither `overlap` nor `enabled`
 * matters.
 * @throws {AppError} not_found: its target; invalid: its input does not fit; rate_limited: the queue is full
 */
export const runSchedule = async (
  deps: EnqueueDeps & FlowDeps,
  { schedule, fireTime, ...request }: RunRequest,
): Promise<ScheduleRun> => {
  const { ws, app, action, flow, inputJson } = schedule
  const input: JsonValue = JSON.parse(inputJson)
  const trigger = { fireTime: new Date(fireTime).toISOString() }
  const common = { ...request, ws, app, input, triggerKind: 'schedule' } as const
  if (action === null) {
    const started = await startRunUnconditionally(deps, { ...common, flow: flow ?? '', trigger })
    return { made: { flowRunId: started.runId }, replayed: started.replayed }
  }
  const triggerJson = JSON.stringify(trigger)
  const { jobId, replayed } = await enqueueJob(deps, { ...common, action, inputJson, triggerJson })
  return { made: { jobId }, replayed }
}
