/** Enqueues a job for a caller of the API, with backpressure, grants and idempotency, in one atomic write. */
import { overtaken } from '#core/deploy/overtaken.ts'
import { AppError, type ErrorKind, forbidden, notFound } from '#core/error.ts'
import { canceledRun, lostStarter } from '#core/job/start-call.ts'
import { actionNotFound, appNotFound } from '#core/target-not-found.ts'
import { findApp } from '#store/apps/apps.ts'
import { asTextOrNull } from '#store/column.ts'
import { hasGrant, holdsGrant } from '#store/credentials/consumers.ts'
import type { Statement, StatementResult } from '#store/database.ts'
import { hasJob, isClaimed } from '#store/jobs/guards.ts'
import { type Claim, isRunning } from '#store/jobs/lease.ts'
import { mayRecord } from '#store/jobs/steps.ts'
import { holds } from '#store/row.ts'
import { allOf } from '#store/sql.ts'
import { insertTrace } from '#store/traces.ts'
import type { Deps } from '../deps.ts'
import { MAX_TRIES } from '../retry-on-conflict.ts'
import {
  type ActionCache,
  createActionCache,
  type DeployedAction,
  readPinnedAction,
} from './action-cache.ts'
import { checkAllowedTag } from './check-tag.ts'
import {
  checkInput,
  claimedAlong,
  emitExisting,
  emitQueued,
  enqueueStatements,
  forwardQueued,
  type JobRequest,
} from './enqueue.ts'
import { findFirst, type Idempotency, type KeyStatements, keyStatements } from './idempotency.ts'
import type { GiveBack } from './queue-gate.ts'

export type EnqueueRequest = JobRequest &
  Readonly<{
    idempotency?: Idempotency
    /** The attempt that starts the job; it must still be running. */
    startedBy?: Claim
    /** A further condition for the insert of the job. */
    condition?: Statement
    /** The trace that the job belongs to (core/trace/traceparent.ts). */
    traceparent?: string
    /** Statements that are written with the job; each depends on the job being inserted. */
    alongside?: (jobId: string) => readonly Statement[]
    /**
     * A statement that runs directly after the request joined a waiting job, if that changed a row. Only for a request without an
     * idempotency key, whose own statement runs there.
     */
    onJoined?: (id: Statement) => Statement
  }>

export type Enqueued = Readonly<{ jobId: string; replayed: boolean }>

export type EnqueueDeps = Pick<
  Deps,
  'db' | 'newId' | 'hints' | 'limits' | 'passFault' | 'gate' | 'manifests'
> &
  Readonly<{ actions: ActionCache }>

/** Adds a cache of actions, which enqueueing uses from one call to the next. */
export const enqueueDepsOf = (deps: Deps): EnqueueDeps => ({
  ...deps,
  actions: createActionCache(),
})

const REFUSALS: readonly ErrorKind[] = ['invalid', 'not_found', 'rate_limited', 'unavailable']

/**
 * Queues a job and returns its id.
 * @throws {AppError} not_found (app or action), invalid (the input does not fit the action's schema), conflict (the idempotency
 * key was used with another body), forbidden (a customer without the grant, the tag of a replay), rate_limited (too many wait)
 */
export const enqueueJob = async (deps: EnqueueDeps, request: EnqueueRequest): Promise<Enqueued> => {
  try {
    return await enqueueNew(deps, request)
  } catch (error) {
    // a repeated request gets the first result, whatever was deployed or queued in between
    const isRefused = error instanceof AppError && REFUSALS.includes(error.kind)
    const first = isRefused ? await findFirst(deps, request) : null
    if (first === null) throw error
    return { jobId: first, replayed: true }
  }
}

/** A place in the queue, once it is taken. */
type Place = { giveBack: GiveBack | null }

/** A repetition, a refusal and a request that joins a waiting job give their place back, because they queue nothing. */
const enqueueNew = async (deps: EnqueueDeps, given: EnqueueRequest): Promise<Enqueued> => {
  const jobId = deps.newId()
  const place: Place = { giveBack: null }
  try {
    const enqueued = await enqueueInPlace(deps, { given, jobId, place })
    if (enqueued.jobId !== jobId) place.giveBack?.(1)
    return enqueued
  } catch (error) {
    // after other errors the job may be queued
    if (error instanceof AppError && error.kind !== 'unavailable') place.giveBack?.(1)
    throw error
  }
}

type NewJob = Readonly<{ given: EnqueueRequest; jobId: string; place: Place }>

const enqueueInPlace = async (
  deps: EnqueueDeps,
  { given, jobId, place }: NewJob,
): Promise<Enqueued> => {
  const request = { mayDebounce: true, ...given }
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    // first, because a customer without the grant must not learn what is deployed
    await checkGrant(deps, request)
    await checkReplayTag(deps, request)
    const action = await findAction(deps, request)
    if (action === null) throw await unknownTarget(deps, request)
    place.giveBack ??= await deps.gate.pass(request.ws)
    const enqueued = await tryEnqueue(deps, { request, action, jobId })
    if (enqueued !== null) return enqueued
    await checkStarter(deps, request)
    await checkReplayed(deps, request)
    deps.actions.forget(request)
  }
  throw overtaken()
}

/** Finds the deployed action, or the one of the deployment that a replay pins. Null if it is missing or its app was deleted. */
const findAction = async (
  { db, actions }: Pick<EnqueueDeps, 'db' | 'actions'>,
  request: EnqueueRequest,
): Promise<DeployedAction | null> => {
  const { ws, app, action, pinnedDeployment } = request
  if (pinnedDeployment === undefined) return await actions.find(db, request)
  return (await findApp(db, ws, app)) === null
    ? null
    : await readPinnedAction(db, pinnedDeployment, action)
}

type Try = Readonly<{ request: EnqueueRequest; action: DeployedAction; jobId: string }>

const tryEnqueue = async (deps: EnqueueDeps, attempt: Try): Promise<Enqueued | null> => {
  const { request, jobId } = attempt
  const { take, holds: holdsKey, move, release } = keyStatements(request, jobId, 'jobs')
  const guard = allOf(
    holdsKey,
    grantOf(request),
    mayStart(request),
    isPinned(request),
    request.condition ?? null,
  )
  const batch = {
    take,
    job: await checkedStatements(deps, attempt, { guard, move: request.onJoined ?? move }),
    alongside: [...traceOf(request, jobId), ...(request.alongside?.(jobId) ?? [])],
    release,
  }
  deps.passFault('enqueue_before_commit')
  const { tag: wantedTag, scheduledFor, delayMs = 0 } = request
  const isDue = scheduledFor === undefined && delayMs === 0
  const along = isDue ? claimedAlong(deps, wantedTag) : {}
  const { job } = await deps.db.write(batch, { retry: true, ...along })
  deps.passFault('enqueue_committed')
  const wasQueued = isDue ? forwardQueued(deps, job) : emitQueued(deps, job)
  if (wasQueued) {
    const queued = queuedId(job) ?? jobId
    // the request joined a waiting job, for which these statements recorded nothing
    if (queued !== jobId) await deps.db.write(request.alongside?.(queued) ?? [], { retry: true })
    return { jobId: queued, replayed: false }
  }
  const first = await findFirst(deps, request)
  if (first !== null && first !== jobId) return { jobId: first, replayed: true }
  return (await emitExisting(deps, { ws: request.ws, jobId })) ? { jobId, replayed: false } : null
}

const traceOf = ({ ws, traceparent }: EnqueueRequest, jobId: string): readonly Statement[] =>
  traceparent === undefined ? [] : [insertTrace({ ownerId: jobId, traceparent }, hasJob(ws, jobId))]

/** Returns the job that was queued, or that a debounced request joined. */
const queuedId = (results: readonly StatementResult[]): string | null =>
  asTextOrNull(results.flatMap(({ rows }) => rows)[0]?.id ?? null)

/** A condition on the attempt that starts the job; null without one. A canceled job calls no further job [durable 3.3]. */
const mayStart = ({ startedBy, calledBy }: EnqueueRequest): Statement | null => {
  if (startedBy === undefined) return null
  return calledBy === undefined ? isRunning(startedBy) : mayRecord(startedBy)
}

/** @throws {AppError} conflict: the attempt that starts the job has lost its claim, or may start nothing any more */
const checkStarter = async ({ db }: Pick<Deps, 'db'>, request: EnqueueRequest): Promise<void> => {
  const { startedBy, calledBy } = request
  const condition = mayStart(request)
  if (startedBy === undefined || condition === null || (await holds(db, condition))) return
  const isCanceled = calledBy !== undefined && (await holds(db, isClaimed(startedBy, true)))
  throw isCanceled ? canceledRun() : lostStarter()
}

/** A condition: the replayed job exists, because its deployment may be deleted after it; null if nothing is pinned. */
const isPinned = ({ ws, replayOf, pinnedDeployment }: EnqueueRequest): Statement | null =>
  pinnedDeployment === undefined || replayOf === undefined ? null : hasJob(ws, replayOf)

/** @throws {AppError} not_found: the replayed job was deleted meanwhile */
const checkReplayed = async ({ db }: Pick<Deps, 'db'>, request: EnqueueRequest): Promise<void> => {
  const condition = isPinned(request)
  if (condition !== null && !(await holds(db, condition))) throw notFound('Job')
}

/** The grant also guards the insert itself, so that its removal stops requests that are under way. */
const grantOf = ({ ws, app, action, customerId }: EnqueueRequest): Statement | null =>
  customerId === undefined ? null : holdsGrant({ ws, app, action, consumerId: customerId })

const checkGrant = async (
  { db }: Pick<Deps, 'db'>,
  { ws, app, action, customerId }: EnqueueRequest,
): Promise<void> => {
  if (customerId === undefined) return
  if (await hasGrant(db, { ws, app, action, consumerId: customerId })) return
  throw forbidden(`This key may not run ${app}/${action}.`, { code: 'not_granted' })
}

/** A replay keeps the tag of its job, which the workspace may no longer allow. @throws {AppError} forbidden `tag_not_allowed` */
const checkReplayTag = async (
  deps: Pick<Deps, 'db'>,
  { ws, tag, replayOf }: EnqueueRequest,
): Promise<void> => {
  if (replayOf !== undefined && tag !== undefined) await checkAllowedTag(deps, ws, tag)
}

/** An input is refused only by the current deployment, never by a cached one. */
const checkedStatements = async (
  deps: EnqueueDeps,
  attempt: Try,
  { guard, move }: Readonly<{ guard: Statement }> & Pick<KeyStatements, 'move'>,
): Promise<readonly Statement[]> => {
  try {
    await checkInput(deps, attempt)
    return enqueueStatements(deps, attempt, guard, move)
  } catch (refusal) {
    const { request } = attempt
    deps.actions.forget(request)
    const current = await findAction(deps, request)
    if (current === null) throw await unknownTarget(deps, request)
    if (current.deploymentId === attempt.action.deploymentId) throw refusal
    const again = { ...attempt, action: current }
    await checkInput(deps, again)
    return enqueueStatements(deps, again, guard, move)
  }
}

/** Builds the error of an action that is not deployed. */
export const unknownTarget = async (
  deps: Pick<EnqueueDeps, 'db'>,
  at: Pick<JobRequest, 'ws' | 'app' | 'action'>,
): Promise<AppError> => {
  const app = await findApp(deps.db, at.ws, at.app)
  return app === null ? appNotFound(at.app) : actionNotFound(at)
}
