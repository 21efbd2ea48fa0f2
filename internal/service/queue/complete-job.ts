/** Ends an attempt of a job: with success, failure, a retry or a suspension. A fenced attempt changes nothing. */

import { type RetryPolicy, retryDelayMs } from '#core/action/retry.ts'
import type { WrittenEnd } from '#core/job/attempt.ts'
import { canceledError, type JobError } from '#core/job/job-error.ts'
import { isTerminal, type JobStatus } from '#core/job/transitions.ts'
import { asNumber, asText } from '#store/column.ts'
import type { Statement } from '#store/database.ts'
import { insertAttempt } from '#store/jobs/attempts.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { retryJob } from '#store/jobs/end.ts'
import { isRetried, isSuspended } from '#store/jobs/guards.ts'
import { findAttemptStatus } from '#store/jobs/lease.ts'
import { findJobTag } from '#store/jobs/read.ts'
import { type HistoryRow, insertHistory, markCaught, markThrown } from '#store/jobs/steps.ts'
import { suspendJob } from '#store/jobs/suspend.ts'
import type { Deps } from '../deps.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { ANY_TAG } from '../hints.ts'
import { createEndBatch, type EndJob } from './end-jobs.ts'
import { claimedAlong, emitIfMade, emitQueued, forwardQueued } from './enqueue.ts'
import type { HandleDeps } from './handle-failures.ts'
import { faultOfResult } from './result-too-large.ts'

export type RunOutcome =
  | Readonly<{ kind: 'success'; resultJson: string }>
  | Readonly<{
      kind: 'failure'
      error: JobError
      /** Whether no further attempt may follow, as after a `NonRetryableError`. @default false */
      isFinal?: boolean
      /** The steps whose failures the script was given, so that they run again. @default none */
      thrown?: readonly string[]
    }>
  | Readonly<{ kind: 'canceled' }>
  | Suspended

/** The script waits for durable steps. */
export type Suspended = Readonly<{
  kind: 'suspended'
  /** What it waits for, in the order of the script. */
  steps: readonly string[]
  /** The failed steps that the script continued from. */
  failed: readonly string[]
  history: readonly HistoryRow[]
}>

export type Ending = Readonly<{
  job: ClaimedJob
  outcome: RunOutcome
  retry: RetryPolicy | null
  /** Log chunks that are not written yet; they are part of the same write. */
  logs: readonly Statement[]
  /** Called each time the write is handed to the database. A claim that follows at once shares its commit. */
  onQueued: () => void
  /** Called when the job was suspended, with the milliseconds after which it continues at the latest. */
  onSuspended: (dueInMs: number) => void
}>

export type CompleteDeps = HandleDeps & FlowDeps & Pick<Deps, 'hints' | 'passFault'>

/** Ends one attempt. @throws {DatabaseError} */
export type CompleteJob = (ending: Ending) => Promise<WrittenEnd>

/**
 * Creates the function by which a worker ends attempts. Those that end within one turn of the event loop share a write.
 * @param mayGather whether more attempts are about to end, so that an end may wait some milliseconds for them
 */
export const createJobCompleter = (deps: CompleteDeps, mayGather: () => boolean): CompleteJob => {
  const write = createEndBatch(deps, mayGather)
  return (ending) => complete(deps, ending, write)
}

const complete = async (deps: CompleteDeps, ending: Ending, write: EndJob): Promise<WrittenEnd> => {
  const { job, onQueued } = ending
  const outcome = toStorable(deps, ending.outcome)
  const logs = [...ending.logs, ...thrownSteps(job, outcome)]
  const retry = outcome.kind === 'failure' ? ending.retry : null
  const isFinal = outcome.kind === 'failure' && outcome.isFinal === true
  // the run of a flow decides whether its jobs are retried
  if (outcome.kind === 'failure' && job.flow === null) {
    const delayMs = retryDelayMs(retry, {
      failures: job.failureCount + 1,
      error: outcome.error,
      isFinal,
      random: Math.random(),
    })
    if (delayMs !== null) {
      const retried = await retryLater(deps, { job, delayMs, logs, error: outcome.error, onQueued })
      if (retried !== null) return retried
    }
  }
  if (outcome.kind === 'suspended' && (await suspend(deps, ending, outcome))) return 'suspended'
  // a suspension was refused because a cancel was requested, or the attempt is fenced
  const status = outcome.kind === 'suspended' ? 'canceled' : outcome.kind
  const resultJson = toResultJson(outcome)
  const error = outcome.kind === 'failure' ? outcome.error : null
  const end = { claim: job, status, resultJson, error, retry, isFinal, logs, onQueued } as const
  const written = await write(end)
  // no row changed: the write was committed before and its answer was lost, or the attempt is fenced
  const ended = toEnded(written ?? (await findAttemptStatus(deps.db, job)))
  deps.hints.jobChanged.emit(job.id)
  if (job.calledBy !== null) await wakeCaller(deps, job.ws, job.calledBy)
  return ended
}

/** The next attempt, which may be another job of a flow step, runs the steps again whose failures this one was given. */
const thrownSteps = (job: ClaimedJob, outcome: RunOutcome): readonly Statement[] => {
  const { thrown = [] } = outcome.kind === 'failure' ? outcome : {}
  return thrown.length === 0 ? [] : [markThrown(job, thrown)]
}

const toStorable = ({ db }: CompleteDeps, outcome: RunOutcome): RunOutcome => {
  const error = outcome.kind === 'success' ? faultOfResult(db, outcome.resultJson) : null
  return error === null ? outcome : { kind: 'failure', error, isFinal: true }
}

/** The result of a job that was stopped without a request to cancel. A request has its own reason. */
export const CANCELED = JSON.stringify(canceledError())

const toResultJson = (outcome: RunOutcome): string => {
  if (outcome.kind === 'success') return outcome.resultJson
  return outcome.kind === 'failure' ? JSON.stringify(outcome.error) : CANCELED
}

const toEnded = (status: JobStatus | null): WrittenEnd =>
  status !== null && isTerminal(status) ? status : 'fenced'

/** Sends hints to workers, because the batch that ended the called job made its caller ready. */
const wakeCaller = async (
  { db, hints }: CompleteDeps,
  ws: string,
  callerId: string,
): Promise<void> => {
  const tag = await findJobTag(db, ws, callerId)
  if (tag !== null) hints.jobQueued.emit(tag)
  hints.jobChanged.emit(callerId)
}

/** @returns false if a cancel was requested or the attempt is fenced; then nothing was written */
const suspend = async (
  deps: CompleteDeps,
  { job, logs, onQueued, onSuspended }: Ending,
  { steps, failed, history }: Suspended,
): Promise<boolean> => {
  const batch = {
    logs,
    history: history.map((row) => insertHistory(job, row)),
    caught: failed.length === 0 ? null : markCaught(job, failed),
    suspend: suspendJob(job, steps),
  }
  deps.passFault('suspend_before_commit')
  const along = claimedAlong(deps, null, onQueued)
  const { suspend: written } = await deps.db.write(batch, { retry: true, ...along })
  deps.passFault('suspend_committed')
  const [row] = written.rows
  if (row === undefined && !(await emitIfMade(deps, job, isSuspended(job)))) return false
  // what it waits for has come meanwhile
  if (row?.ready === 1) deps.hints.jobQueued.emit(asText(row.tag))
  else if (row !== undefined) onSuspended(asNumber(row.due_in_ms))
  deps.hints.jobChanged.emit(job.id)
  return true
}

type Later = Readonly<{
  job: ClaimedJob
  delayMs: number
  error: JobError
  logs: readonly Statement[]
  onQueued: () => void
}>

/** @returns null if a cancel was requested meanwhile, so that the job ends instead, or if the attempt was over before */
const retryLater = async (
  deps: CompleteDeps,
  { job, delayMs, error, logs, onQueued }: Later,
): Promise<'retrying' | null> => {
  const { name, message } = error
  const attempt = insertAttempt(job, {
    outcome: 'failure',
    error: JSON.stringify({ name, message }),
  })
  const batch = { logs, attempt, retry: retryJob(job, delayMs) }
  const isDue = delayMs === 0
  const along = claimedAlong(deps, isDue ? ANY_TAG : null, onQueued)
  const { retry: retried } = await deps.db.write(batch, { retry: true, ...along })
  const wasQueued = isDue ? forwardQueued(deps, [retried]) : emitQueued(deps, [retried])
  if (!wasQueued) {
    await emitIfMade(deps, job, isRetried(job, job.failureCount))
    return null
  }
  deps.hints.jobChanged.emit(job.id)
  return 'retrying'
}
