/**
 * The only way into the queue [jobs 2.5]. It pins commit, entry point, schemas, tag and timeout by naming a deployment, which
 * never changes. Its statements are part of the caller's batch: a start over the API, the firing of a schedule, a failure that
 * calls the error handler, or the transition of a flow run that starts the job.
 */
import { type FlowControl, flowControlOf } from '#core/job/flow-control.ts'
import { labelsOf } from '#core/job/labels.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import { crashLimitOf } from '#core/job/worker-loss.ts'
import type { JsonValue } from '#core/json/value.ts'
import { levelRank } from '#core/placement/isolation-level.ts'
import { SECOND_MS } from '#core/time-units.ts'
import { asText } from '#store/column.ts'
import type { Statement, StatementResult, WriteOptions } from '#store/database.ts'
import { findNewerRequest, pushWaitingJob } from '#store/jobs/debounce.ts'
import { type FlowJob, insertJob, type NewJob } from '#store/jobs/insert.ts'
import { findJobTag } from '#store/jobs/read.ts'
import { holds } from '#store/row.ts'
import { sql, TRUE } from '#store/sql.ts'
import type { Deps } from '../deps.ts'
import { requireFittingInput } from '../find-input-faults.ts'
import { ANY_TAG } from '../hints.ts'
import type { DeployedAction } from './action-cache.ts'

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
  /** The customer whose grants decide; absent if no customer runs it. */
  customerId?: string
  tag?: string
  /** Milliseconds since 1970. */
  scheduledFor?: number
  /** Milliseconds for which it waits, instead of `scheduledFor`. */
  delayMs?: number
  /** -100..100, higher first. */
  priority?: number
  /** When it came, in milliseconds since 1970 by the database's clock, if it waited for room; absent for the present time. */
  requestedAt?: number
  /** How many jobs and flow runs are before it in the chain of starts. @default 0 */
  chainDepth?: number
  /** Whether the caller holds `apps:write`, so that the job may name any tag for what it starts. @default false */
  holdsAppsWrite?: boolean
  /** Whether the request may join a waiting job if the action debounces. @default false */
  mayDebounce?: boolean
  /** The job that it replays. */
  replayOf?: string
  /** Replays what this deployment pinned; absent to run what is deployed. */
  pinnedDeployment?: string
  /** The job and the durable step that wait for it. */
  calledBy?: Readonly<{ jobId: string; step: string }>
}>

export type QueuedJob = Readonly<{
  jobId: string
  request: JobRequest
  action: DeployedAction
  /** The step of a flow run that the job does, and its delay. */
  flow?: FlowJob & Readonly<{ delayMs: number }>
}>

/**
 * Returns the statements that queue a job whose input was checked. One of them returns `{id, tag}` if it did (see `emitQueued`).
 * @param guard a condition for the insert of the job
 * @param onPushed returns a statement that runs directly after the request joined a waiting job
 * @throws {AppError} invalid: the input lacks what the action's concurrency key names
 */
export const enqueueStatements = (
  deps: Pick<Deps, 'limits'>,
  job: QueuedJob,
  guard: Statement,
  onPushed: (id: Statement) => Statement | null = () => null,
): readonly Statement[] => {
  const row = pin(deps, job)
  const { debounce } = row.control
  if (debounce === null) return insertJob(row, guard)
  const newer = findNewerRequest(row, debounce)
  return [
    ...(newer === null ? [] : [newer.found]),
    ...pushWaitingJob(row, debounce, { guard, onPushed }),
    // the last statement of a push changes a row
    ...insertJob(row, sql`${guard} AND changes() = 0 AND ${newer?.isAbsent ?? TRUE}`),
  ]
}

const tagsOf = (results: readonly StatementResult[]): readonly string[] =>
  results.flatMap(({ rows }) => rows.map((row) => asText(row.tag)))

/** Wakes workers for each job that the statements inserted. @returns whether there was one */
export const emitQueued = (
  { hints }: Pick<Deps, 'hints'>,
  results: readonly StatementResult[],
): boolean => {
  const tags = tagsOf(results)
  for (const tag of tags) hints.jobQueued.emit(tag)
  return tags.length > 0
}

/**
 * Wakes workers for a job that its write did not insert but that exists: the write was repeated after its answer was lost.
 * @returns whether it exists
 */
export const emitExisting = async (
  { db, hints }: Pick<Deps, 'db' | 'hints'>,
  { ws, jobId }: Readonly<{ ws: string; jobId: string }>,
): Promise<boolean> => {
  const tag = await findJobTag(db, ws, jobId)
  if (tag !== null) hints.jobQueued.emit(tag)
  return tag !== null
}

/**
 * Wakes workers for a job that its write did not change but that is as the write would leave it, because the answer was lost.
 * @param made a condition: what the write makes
 * @returns whether it is so
 */
export const emitIfMade = async (
  deps: Pick<Deps, 'db' | 'hints'>,
  { ws, id }: Readonly<{ ws: string; id: string }>,
  made: Statement,
): Promise<boolean> => (await holds(deps.db, made)) && (await emitExisting(deps, { ws, jobId: id }))

/**
 * Options of a write that inserts jobs which are due at once. The workers of this process claim in the same commit;
 * `forwardQueued` wakes the others afterwards.
 * @param tag of the jobs, or `ANY_TAG`; null if none of them is due
 * @param onQueued also called when the write is handed to the database
 */
export const claimedAlong = (
  { hints }: Pick<Deps, 'hints'>,
  tag: string | null = ANY_TAG,
  onQueued: () => void = () => undefined,
): Pick<WriteOptions, 'onQueued'> => ({
  onQueued: () => {
    if (tag !== null) hints.jobQueuing.emit(tag)
    onQueued()
  },
})

/** Wakes the workers of other processes after a write with `claimedAlong`. @returns whether a job was inserted */
export const forwardQueued = (
  { hints }: Pick<Deps, 'hints'>,
  results: readonly StatementResult[],
): boolean => {
  const tags = tagsOf(results)
  for (const tag of tags) hints.jobQueued.forward(tag)
  return tags.length > 0
}

/** @throws {AppError} invalid: the input does not fit the action's schema; unavailable */
export const checkInput = async (
  deps: Pick<Deps, 'manifests'>,
  { request, action }: Pick<QueuedJob, 'request' | 'action'>,
): Promise<void> => {
  const { ws, app, action: target, input } = request
  await requireFittingInput(deps, action.checkInput, { ws, app, target, input })
}

/** Only requests are debounced. A step of a flow, a replay and a job for a chosen time are never merged [jobs 18.3]. */
const controlOf = (
  { ws, app, customerId, input, ...request }: JobRequest,
  action: DeployedAction['definition'],
  flow: QueuedJob['flow'],
): FlowControl => {
  const control = flowControlOf({ ws, app, action, customerId }, input)
  const isPlain =
    request.mayDebounce === true &&
    flow === undefined &&
    request.replayOf === undefined &&
    request.calledBy === undefined &&
    request.scheduledFor === undefined &&
    (request.delayMs ?? 0) === 0
  return isPlain ? control : { ...control, debounce: null }
}

/** Returns the row of the job, which stays as it is, whatever is deployed later. */
const pin = (
  { limits }: Pick<Deps, 'limits'>,
  { jobId, request, action: { deploymentId, definition }, flow }: QueuedJob,
): NewJob => ({
  id: jobId,
  ws: request.ws,
  app: request.app,
  action: request.action,
  deploymentId,
  inputJson: request.inputJson,
  triggerJson: request.triggerJson ?? null,
  tag: request.tag ?? null,
  manifestTag: definition.tag,
  priority: request.priority ?? 0,
  due:
    request.scheduledFor === undefined
      ? { inMs: request.delayMs ?? flow?.delayMs ?? 0 }
      : { at: request.scheduledFor },
  requestedAt: request.requestedAt ?? null,
  control: controlOf(request, definition, flow),
  startTimeoutMs:
    definition.startTimeoutS === undefined ? null : definition.startTimeoutS * SECOND_MS,
  labels: labelsOf(definition.labels ?? [], request.input),
  // a flow creates one job per attempt
  maxAttempts: flow === undefined ? (definition.retry?.maxAttempts ?? 1) : 1,
  crashLimit: crashLimitOf(definition, limits.jobMaxCrashes),
  minLevel: levelRank(definition.minLevel ?? 'none'),
  triggerKind: request.triggerKind,
  createdBy: request.createdBy,
  permissionedAs: request.permissionedAs,
  customerId: request.customerId ?? null,
  chainDepth: request.chainDepth ?? 0,
  holdsAppsWrite: request.holdsAppsWrite ?? false,
  calledBy: request.calledBy ?? null,
  flow: flow ?? null,
  replayOf: request.replayOf ?? null,
  isPinned: request.pinnedDeployment !== undefined,
})
