/** Enqueues a job for a caller of the API, with backpressure, grants and idempotency, in one atomic write. */
import { AppError, conflict, forbidden, notFound } from '#core/error.ts'
import { findApp } from '#store/apps.ts'
import { hasGrant, holdsGrant } from '#store/consumers.ts'
import type { Statement } from '#store/database.ts'
import {
  deleteIdempotencyKey,
  findIdempotencyKey,
  holdsIdempotencyKey,
  type IdempotencyClaim,
  insertIdempotencyKey,
} from '#store/idempotency-keys.ts'
import { findJobTag } from '#store/jobs/read.ts'
import { allOf } from '#store/sql.ts'
import type { Deps } from '../deps.ts'
import { type ActionCache, createActionCache, type KnownAction } from './action-cache.ts'
import {
  claimedAlong,
  emitQueued,
  enqueueStatements,
  forwardQueued,
  type JobRequest,
} from './enqueue.ts'

export type EnqueueRequest = JobRequest &
  Readonly<{
    idempotency?: Readonly<{ credential: string; route: string; key: string; bodyHash: string }>
  }>

export type Enqueued = Readonly<{ jobId: string; replayed: boolean }>

export type EnqueueDeps = Pick<Deps, 'db' | 'newId' | 'hints' | 'limits' | 'passFault' | 'gate'> &
  Readonly<{ actions: ActionCache }>

/** With what enqueueing remembers from one call to the next: one for each process. */
export const enqueueDepsOf = (deps: Deps): EnqueueDeps => ({
  ...deps,
  actions: createActionCache(),
})

/** A deployment may land between the check and the insert; two in a row within one call are beyond bad luck. */
const MAX_TRIES = 3

/**
 * Queues a job and answers its id.
 * @throws {AppError} not_found (app or action), invalid (the input does not fit the action's schema), conflict (the
 * idempotency key was used with another body), forbidden (a customer without the grant), rate_limited (too many wait)
 */
export const enqueueJob = async (deps: EnqueueDeps, request: EnqueueRequest): Promise<Enqueued> => {
  try {
    return await enqueueNew(deps, request)
  } catch (error) {
    // a request that is repeated has the first answer, whatever was deployed in between
    const isRefused =
      error instanceof AppError && (error.kind === 'invalid' || error.kind === 'not_found')
    const kept = isRefused ? await findKeptAnswer(deps, request) : null
    if (kept === null) throw error
    return kept
  }
}

const enqueueNew = async (deps: EnqueueDeps, request: EnqueueRequest): Promise<Enqueued> => {
  const jobId = deps.newId()
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    // comes first: a customer without the grant must not learn what is deployed
    await checkGrant(deps, request)
    const action = await deps.actions.find(deps.db, request)
    if (action === null) throw await unknownTarget(deps, request)
    if (attempt === 0) await deps.gate.pass(request.ws)
    const enqueued = await tryEnqueue(deps, { request, action, jobId })
    if (enqueued !== null) return enqueued
    deps.actions.forget(request)
  }
  throw new AppError('unavailable', 'The app is being deployed over and over. Try again.', {
    retryAfterS: 1,
  })
}

type Try = Readonly<{ request: EnqueueRequest; action: KnownAction; jobId: string }>

const tryEnqueue = async (deps: EnqueueDeps, attempt: Try): Promise<Enqueued | null> => {
  const claim = toIdempotencyClaim(attempt)
  const isFirst = claim === null ? null : holdsIdempotencyKey(claim)
  const batch = {
    claim: claim === null ? [] : insertIdempotencyKey(claim),
    job: await checkedStatements(deps, attempt, allOf(isFirst, grantOf(attempt.request))),
    release: claim === null ? null : deleteIdempotencyKey(claim),
  }
  deps.passFault('enqueue_before_commit')
  const { tag: wantedTag, scheduledFor } = attempt.request
  const isDue = scheduledFor === undefined
  const along = isDue ? claimedAlong(deps, wantedTag) : {}
  const { job } = await deps.db.write(batch, { retry: true, ...along })
  deps.passFault('enqueue_committed')
  const wasQueued = isDue ? forwardQueued(deps, job) : emitQueued(deps, job)
  if (wasQueued) return { jobId: attempt.jobId, replayed: false }
  if (claim !== null) {
    const kept = await findIdempotencyKey(deps.db, claim)
    if (kept !== null && kept.jobId !== attempt.jobId)
      return replay(kept.bodyHash === claim.bodyHash, kept.jobId)
  }
  // the write may have been repeated after its answer was lost: then the job is there already
  const tag = await findJobTag(deps.db, attempt.request.ws, attempt.jobId)
  if (tag === null) return null
  deps.hints.jobQueued.emit(tag)
  return { jobId: attempt.jobId, replayed: false }
}

/** The grant also guards the insert itself: taking it away ends what is under way. */
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

const findKeptAnswer = async (
  { db }: Pick<Deps, 'db'>,
  { ws, idempotency }: EnqueueRequest,
): Promise<Enqueued | null> => {
  if (idempotency === undefined) return null
  const kept = await findIdempotencyKey(db, { ws, ...idempotency })
  return kept === null ? null : replay(kept.bodyHash === idempotency.bodyHash, kept.jobId)
}

const replay = (sameBody: boolean, jobId: string): Enqueued => {
  if (sameBody) return { jobId, replayed: true }
  throw conflict(
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
    { code: 'idempotency_key_reused' },
  )
}

/** An input is refused only by the current deployment, never by a cached one. */
const checkedStatements = async (
  deps: EnqueueDeps,
  attempt: Try,
  guard: Statement,
): Promise<readonly Statement[]> => {
  try {
    return enqueueStatements(deps, attempt, guard)
  } catch (refusal) {
    const { request } = attempt
    deps.actions.forget(request)
    const current = await deps.actions.find(deps.db, request)
    if (current === null) throw await unknownTarget(deps, request)
    if (current.deploymentId === attempt.action.deploymentId) throw refusal
    return enqueueStatements(deps, { ...attempt, action: current }, guard)
  }
}

const toIdempotencyClaim = ({ request, jobId }: Try): IdempotencyClaim | null =>
  request.idempotency === undefined ? null : { ...request.idempotency, ws: request.ws, jobId }

const unknownTarget = async (deps: EnqueueDeps, at: EnqueueRequest): Promise<AppError> => {
  const app = await findApp(deps.db, at.ws, at.app)
  return app === null
    ? notFound(`App "${at.app}"`, { code: 'app_not_found' })
    : notFound(`Action "${at.action}" of app "${at.app}"`, { code: 'action_not_found' })
}
