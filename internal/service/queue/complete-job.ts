/** Ends a run of a job: success, failure, a later try, or back to the queue. A lost worker's late word changes nothing. */

import type { JobError } from '#core/job/job-error.ts'
import { isTerminal, type JobStatus, type TerminalStatus } from '#core/job/transitions.ts'
import { type RetryPolicy, retryDelayMs } from '#core/retry.ts'
import { asText } from '#store/column.ts'
import type { Statement } from '#store/database.ts'
import { insertAttempt } from '#store/jobs/attempts.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { completeJobs, handBackJob, retryJob } from '#store/jobs/end.ts'
import { findAttemptStatus, type Held } from '#store/jobs/lease.ts'
import type { Deps } from '../deps.ts'
import type { FlowDeps } from '../flows/load-run.ts'
import { type EndJob, endJob } from './end-jobs.ts'
import type { HandleDeps } from './handle-failures.ts'

export type RunOutcome =
  | Readonly<{ kind: 'success'; resultJson: string }>
  | Readonly<{ kind: 'failure'; error: JobError; mayRetry: boolean }>
  | Readonly<{ kind: 'canceled' }>

export type Ending = Readonly<{
  job: ClaimedJob
  outcome: RunOutcome
  retry: RetryPolicy | null
  /** Log chunks not written yet; they go with the same write. */
  logs: readonly Statement[]
}>

/** `fenced`: another attempt holds the job or it had ended; nothing was written. */
export type Ended = TerminalStatus | 'retrying' | 'fenced'

type CompleteDeps = HandleDeps & FlowDeps & Pick<Deps, 'hints' | 'passFault'>

/** @param end writes the end; the worker's own collects what ends together */
export const completeJob = async (
  deps: CompleteDeps,
  ending: Ending,
  end: EndJob = (each) => endJob(deps, each),
): Promise<Ended> => {
  const { job, outcome, logs } = ending
  const retry = outcome.kind === 'failure' && outcome.mayRetry ? ending.retry : null
  // of a flow's child the run decides whether there is another try
  if (outcome.kind === 'failure' && job.flow === null) {
    const delayMs = retryDelayMs(retry, job.failureCount + 1)
    if (delayMs !== null) {
      const retried = await retryLater(deps, { job, delayMs, logs, error: outcome.error })
      if (retried !== null) return retried
    }
  }
  const status = outcome.kind
  const resultJson = toResultJson(outcome)
  const error = outcome.kind === 'failure' ? outcome.error : null
  const written = await end({ held: job, status, resultJson, error, retry, logs })
  const ended = written === null ? await readEnd(deps, job) : toEnded(written)
  deps.hints.jobChanged.emit(job.id)
  return ended
}

/** Only of a job that nobody asked to cancel, which a killed run alone does not tell; the mark names the reason. */
const CANCELED = JSON.stringify({ name: 'Canceled', message: 'The run was stopped.' })

const toResultJson = (outcome: RunOutcome): string => {
  if (outcome.kind === 'success') return outcome.resultJson
  return outcome.kind === 'failure' ? JSON.stringify(outcome.error) : CANCELED
}

const toEnded = (status: JobStatus): Ended => (isTerminal(status) ? status : 'fenced')

type Later = Readonly<{
  job: ClaimedJob
  delayMs: number
  error: JobError
  logs: readonly Statement[]
}>

/** Null: somebody asked to cancel the job meanwhile, so it ends instead. */
const retryLater = async (
  deps: CompleteDeps,
  { job, delayMs, error, logs }: Later,
): Promise<'retrying' | null> => {
  const { name, message } = error
  const attempt = insertAttempt(job, {
    outcome: 'failure',
    error: JSON.stringify({ name, message }),
  })
  const results = await deps.db.write([...logs, attempt, retryJob(job, delayMs)], { retry: true })
  const row = results.at(-1)?.rows[0]
  if (row === undefined) return null
  deps.hints.jobQueued.emit(asText(row.tag))
  deps.hints.jobChanged.emit(job.id)
  return 'retrying'
}

/** No row changed: either our own earlier try was committed though its answer was lost, or we were fenced off. */
const readEnd = async (deps: CompleteDeps, held: Held): Promise<Ended> => {
  const status: JobStatus | null = await findAttemptStatus(deps.db, held)
  return status !== null && isTerminal(status) ? status : 'fenced'
}

export type HandBack = Readonly<{
  jobs: readonly Readonly<{ held: ClaimedJob /** Its script has begun. */; started: boolean }>[]
  logs?: readonly Statement[]
}>

/**
 * Puts jobs back that this worker will not finish; no crash is counted [jobs 8.9]. One that somebody asked
 * to cancel ends canceled instead: nobody else would.
 */
export const handBackJobs = async (
  deps: CompleteDeps,
  { jobs, logs = [] }: HandBack,
): Promise<void> => {
  if (jobs.length === 0) return
  const attempts = jobs
    .filter(({ started }) => started)
    .map(({ held }) => insertAttempt(held, { outcome: 'handed_back' }))
  const backs = jobs.map(({ held, started }) => handBackJob(held, started))
  const plain = jobs.filter(({ held }) => held.flow === null)
  const cancels = completeJobs(
    plain.map(({ held }) => ({ held, status: 'canceled', resultJson: CANCELED })),
    { onlyMarked: true },
  )
  deps.passFault('hand_back_before_commit')
  const before = [...logs, ...attempts]
  const results = await deps.db.write([...before, ...backs, ...cancels])
  deps.passFault('hand_back_committed')
  for (const [at, { held }] of jobs.entries()) {
    // its run has to be told
    const isOurs = held.flow !== null && results[before.length + at]?.changes !== 1
    if (isOurs) {
      await endJob(deps, {
        held,
        status: 'canceled',
        resultJson: CANCELED,
        error: null,
        retry: null,
        logs: [],
      })
    }
  }
  for (const { held } of jobs) deps.hints.jobChanged.emit(held.id)
}
