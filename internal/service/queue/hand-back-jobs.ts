/** Queues jobs again that a worker will not finish. */
import type { Statement } from '#store/database.ts'
import { insertAttempt } from '#store/jobs/attempts.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { cancelHandedBack, handBackJob, uncountStarts } from '#store/jobs/end.ts'
import { findClaimState } from '#store/jobs/lease.ts'
import { CANCELED, type CompleteDeps } from './complete-job.ts'
import { writeEnd } from './end-jobs.ts'
import { forwardQueued } from './enqueue.ts'

export type HandBack = Readonly<{
  /** `started`: whether the script has begun. */
  jobs: readonly Readonly<{
    claim: ClaimedJob
    started: boolean
    /** Milliseconds for which the job waits, so that another worker claims it. @default 0 */
    delayMs?: number
  }>[]
  logs?: readonly Statement[]
}>

/**
 * Queues jobs again that this worker will not finish, without counting a crash [jobs 8.9]. A job whose cancel was requested
 * ends as canceled instead, because no other worker would end it.
 * @throws {DatabaseError}
 */
export const handBackJobs = async (
  deps: CompleteDeps,
  { jobs, logs = [] }: HandBack,
): Promise<void> => {
  if (jobs.length === 0) return
  const attempts = jobs
    .filter(({ started }) => started)
    .map(({ claim }) => insertAttempt(claim, { outcome: 'handed_back' }))
  const unstarted = jobs.filter(({ started }) => !started)
  const plain = jobs.filter(({ claim }) => claim.flow === null)
  const batch = {
    logs,
    attempts,
    uncounts: uncountStarts(unstarted.map(({ claim }) => claim)),
    handBacks: jobs.map(({ claim, started, delayMs }) => handBackJob(claim, started, delayMs)),
    cancels: cancelHandedBack(plain.map(({ claim }) => claim)),
  }
  deps.passFault('hand_back_before_commit')
  const { handBacks } = await deps.db.write(batch, { retry: true })
  deps.passFault('hand_back_committed')
  forwardQueued(deps, handBacks)
  for (const [at, { claim }] of jobs.entries()) {
    if (handBacks[at]?.changes !== 1) await settleHandBack(deps, claim)
  }
  for (const { claim } of jobs) deps.hints.jobChanged.emit(claim.id)
}

/**
 * Handles a job that the write did not queue: its cancel was requested, it was lost, or the write had been committed before.
 */
const settleHandBack = async (deps: CompleteDeps, claim: ClaimedJob): Promise<void> => {
  const { isHeld, queuedTag } = await findClaimState(deps.db, claim)
  if (queuedTag !== null) deps.hints.jobQueued.forward(queuedTag)
  if (claim.flow === null || !isHeld) return
  // the end of a flow's job advances its run, so it is a separate write
  await writeEnd(deps, {
    claim,
    status: 'canceled',
    resultJson: CANCELED,
    error: null,
    retry: null,
    isFinal: false,
    logs: [],
    onQueued: () => undefined,
  })
}
