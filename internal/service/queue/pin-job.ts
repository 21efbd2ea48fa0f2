/** What a job is asked to be, made into the row that stays as it is [jobs 2.5]. */
import { concurrencySlot } from '#core/concurrency-key.ts'
import { invalid } from '#core/error.ts'
import { levelRank } from '#core/isolation-level.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import type { JsonValue } from '#core/json.ts'
import type { NewJob } from '#store/jobs/insert.ts'
import type { Deps } from '../deps.ts'
import type { KnownAction } from './action-cache.ts'

export type JobRequest = Readonly<{
  ws: string
  app: string
  action: string
  /** The input twice: as the text that is stored, and parsed for the checks. */
  inputJson: string
  input: JsonValue
  triggerKind: TriggerKind
  triggerJson?: string
  createdBy: string
  permissionedAs: string
  /** Whose grants decide; absent: no customer runs it. */
  customerId?: string
  tag?: string
  /** Milliseconds since 1970. */
  scheduledFor?: number
  /** -100..100, higher first. */
  priority?: number
}>

/** @throws {AppError} invalid: the input does not fit the action's schema */
export const pinJob = (
  { limits }: Pick<Deps, 'limits'>,
  { request, known, jobId }: Readonly<{ request: JobRequest; known: KnownAction; jobId: string }>,
): NewJob => {
  const { definition } = known
  const faults = known.checkInput?.(request.input) ?? []
  if (faults.length > 0) {
    throw invalid(`The input does not fit the schema of ${request.app}/${request.action}.`, {
      code: 'input_schema',
      details: faults,
    })
  }
  return {
    id: jobId,
    ws: request.ws,
    app: request.app,
    action: request.action,
    deploymentId: known.deploymentId,
    inputJson: request.inputJson,
    triggerJson: request.triggerJson ?? null,
    tag: request.tag ?? null,
    manifestTag: definition.tag,
    priority: request.priority ?? 0,
    runAt: request.scheduledFor ?? null,
    concurrency: concurrencySlot(
      { ws: request.ws, app: request.app, action: definition },
      request.input,
    ),
    maxAttempts: definition.retry?.maxAttempts ?? 1,
    crashLimit: definition.onWorkerLost === 'fail' ? 1 : limits.jobMaxCrashes,
    minLevel: levelRank(definition.minLevel ?? 'none'),
    triggerKind: request.triggerKind,
    createdBy: request.createdBy,
    permissionedAs: request.permissionedAs,
    customerId: request.customerId ?? null,
  }
}
