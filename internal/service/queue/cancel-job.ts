/** Cancels a job [jobs 7.1 to 7.3]. */
import { mayCancel } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { forbidden, notFound } from '#core/error.ts'
import { type CancelAnswer, cancelAnswer } from '#core/job/cancel-answer.ts'
import { isTerminal, type JobStatus } from '#core/job/transitions.ts'
import { asText } from '#store/column.ts'
import { cancelJob as cancelStatements } from '#store/jobs/cancel.ts'
import { isCanceledBy } from '#store/jobs/guards.ts'
import { findJobHead } from '#store/jobs/read.ts'
import { holds } from '#store/row.ts'
import { cancelQueuedChild } from '../flows/end-child.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { findCalledJobs } from './called-jobs.ts'

export type CancelRequest = Readonly<{
  ws: string
  id: string
  caller: Principal
  reason: string | null
}>

/**
 * Cancels a job. A queued job ends at once; a running one is marked, and its worker ends it.
 * @returns what the cancel did: a job that had ended before stays as it is
 * @throws {AppError} not_found, forbidden
 */
export const cancelJob = async (deps: FlowDeps, request: CancelRequest): Promise<CancelAnswer> => {
  const { ws, id, caller } = request
  const by = caller.identity
  const job = await findJobHead(deps.db, ws, id)
  if (job === null) throw notFound('Job')
  if (!mayCancel(caller, job)) {
    throw forbidden('Only the creator of a job or an admin may cancel it.')
  }
  const reason = request.reason ?? `Canceled by ${by}.`
  const canceled = await cancelAs(deps, { ws, id, by, reason }, job.status)
  return cancelAnswer(CANCEL_ANSWERS[canceled])
}

/** The status that the job had before, as far as the caller needs to know it. */
const CANCEL_ANSWERS = {
  canceled: 'queued',
  marked: 'running',
  already: 'running',
  already_canceled: 'success',
  ended: 'success',
} as const

/** Whether the job was open, and is now canceled or being canceled. */
export const hasCanceled = (canceled: keyof typeof CANCEL_ANSWERS): boolean =>
  CANCEL_ANSWERS[canceled] !== 'success'

/**
 * Cancels a job without a check of permissions.
 * @param status as it was read
 * @returns `canceled`: it was queued; `marked`: its worker ends it; `already`: it was marked before; `already_canceled`,
 * `ended`: it had ended, canceled or otherwise
 */
export const cancelAs = async (
  deps: FlowDeps,
  cancel: Readonly<Record<'ws' | 'id' | 'by' | 'reason', string>>,
  status: JobStatus,
): Promise<keyof typeof CANCEL_ANSWERS> => {
  const { ws, id } = cancel
  if (status === 'queued' && (await cancelQueuedChild(deps, cancel))) {
    deps.hints.jobChanged.emit(id)
    return 'canceled'
  }
  const known = await findCalledJobs(deps, ws, [id])
  const statements = cancelStatements(cancel, known)
  const { ended, marked, called } = await deps.db.write(statements, { retry: true })
  for (const row of called.flatMap(({ rows }) => rows)) {
    if (row.marked_id !== undefined) deps.hints.cancelRequested.emit(asText(row.marked_id))
    else deps.hints.jobChanged.emit(asText(row.ended_id))
  }
  if (ended.changes === 1) {
    deps.hints.jobChanged.emit(id)
    return 'canceled'
  }
  if (marked.changes === 1) {
    deps.hints.cancelRequested.emit(id)
    return 'marked'
  }
  const now = await findJobHead(deps.db, ws, id)
  // a job of a flow that ran when its status was read, and waits again
  if (now?.status === 'queued') return cancelAs(deps, cancel, now.status)
  if (now?.status === 'running') {
    deps.hints.cancelRequested.emit(id)
    return 'already'
  }
  if (now?.status !== 'canceled') return 'ended'
  // the job was open when the caller read it, so the write was repeated after its answer was lost
  if (isTerminal(status) || !(await holds(deps.db, isCanceledBy(cancel)))) return 'already_canceled'
  deps.hints.jobChanged.emit(id)
  return status === 'queued' ? 'canceled' : 'marked'
}
