/**
 * The jobs that a worker has claimed: those that wait for a slot, those whose script runs, and those whose end is being written.
 *
 * It guarantees: a job that has not started is handed back when slots stay occupied longer than expected, when it is canceled,
 * and when the worker stops.
 */
import { type AttemptEnd, attemptOf } from '#core/job/attempt.ts'
import { traceFields } from '#core/trace/traceparent.ts'
import type { Logger } from '#log/logger.ts'
import { createJobCompleter } from '#service/queue/complete-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import type { LeasedClaim } from '#store/jobs/lease.ts'
import { monotonicNow } from './monotonic-clock.ts'
import { type RunDeps, runClaimedJob } from './run-claimed-job.ts'
import type { SlotShare } from './slot-pool.ts'
import { createSlots } from './slots.ts'
import { createWaitingRoom } from './waiting-room.ts'

export type ClaimedJobsDeps = Omit<RunDeps, 'completeJob' | 'onSuspended'> &
  Readonly<{
    log: Logger
    /** Called after each attempt, for metrics. */
    onEnded: (ended: Readonly<{ job: ClaimedJob; end: AttemptEnd; durationMs: number }>) => void
  }>

export type ClaimedJobsOptions = Readonly<{
  share: SlotShare
  concurrency: number
  /** Milliseconds that running jobs have to finish on stop. */
  graceMs: number
}>

export type ClaimedJobsListeners = Readonly<{
  /** A script has ended, and its slot is free. */
  onScriptEnded: (durationMs: number) => void
  /**
   * The write that ends a job was handed to the database.
   * @returns whether a claim, or a read of the queue that may lead to one, follows in the same commit
   */
  onEndQueued: () => boolean
  /** Nothing of the job is left here, and its lease need not be renewed any more. */
  onReleased: (job: ClaimedJob) => void
  /** Jobs are handed back that have not started. */
  onHandBack: () => void
  /** There is room for more jobs, and no claim follows the last end. */
  onRoom: () => void
  /** A job sleeps or waits. @param nextDueMs until the next one may be due */
  onSuspended: RunDeps['onSuspended']
}>

export interface ClaimedJobs {
  /** Number of running scripts. */
  readonly running: number
  /** Number of jobs that wait for a slot. */
  readonly waiting: number
  /** More jobs wait than could start at once. */
  readonly isBacklogged: boolean
  /** Takes jobs over, and starts those that find a slot. */
  accept(jobs: readonly ClaimedJob[]): void
  /** Starts waiting jobs while there are slots. */
  start(): void
  /** Stops an attempt whose lease is lost. */
  drop(claim: LeasedClaim): void
  /** Cancels a job. A job that has not started is handed back; its cancel mark then ends it at once. */
  cancel(id: string): void
  /**
   * Starts no more jobs, hands back those that wait, and resolves when the others have ended.
   * @param lastClaim resolves when no claim is in progress, which may still bring jobs
   */
  stop(lastClaim: Promise<void>): Promise<void>
}

/** Limit of results that wait to be written. Beyond it, no further job starts. */
const MAX_ENDING = 256

/** Hands back jobs that have not started. */
const handBackUnstarted = async (
  deps: ClaimedJobsDeps,
  jobs: readonly ClaimedJob[],
): Promise<void> => {
  try {
    await handBackJobs(deps, { jobs: jobs.map((job) => ({ claim: job, started: false })) })
  } catch (error) {
    deps.log.warn('Could not hand jobs back; their leases will run out.', { error })
  }
}

const logUnfinished = (
  { log }: Pick<ClaimedJobsDeps, 'log'>,
  { id, attempt, traceparent }: ClaimedJob,
  error: unknown,
): void =>
  log.error('Could not finish a job; its lease will run out.', {
    job: id,
    attempt: attemptOf(attempt),
    ...traceFields(traceparent),
    error,
  })

export const createClaimedJobs = (
  deps: ClaimedJobsDeps,
  { share, concurrency, graceMs }: ClaimedJobsOptions,
  listeners: ClaimedJobsListeners,
): ClaimedJobs => {
  let isStopping = false
  const slots = createSlots(share)

  const handBack = (jobs: readonly ClaimedJob[]): Promise<void> => {
    listeners.onHandBack()
    for (const job of jobs) listeners.onReleased(job)
    return handBackUnstarted(deps, jobs)
  }
  const waiting = createWaitingRoom((jobs) => void handBack(jobs))
  const isBacklogged = (): boolean => waiting.size > concurrency

  const runDeps: RunDeps = {
    ...deps,
    // an end waits for others only while many claimed jobs wait; the last are written at once, because the next claim follows
    completeJob: createJobCompleter(deps, () => isBacklogged() && !isStopping),
    onSuspended: listeners.onSuspended,
  }

  const run = async (job: ClaimedJob): Promise<void> => {
    const running = slots.enter(job)
    const startedAt = monotonicNow()
    let isFollowed = false
    try {
      const writeEnd = await runClaimedJob(runDeps, running)
      const durationMs = monotonicNow() - startedAt
      listeners.onScriptEnded(durationMs)
      slots.free(running)
      start()
      const onQueued = (): void => {
        isFollowed = listeners.onEndQueued()
      }
      deps.onEnded({ job, end: await writeEnd(onQueued), durationMs })
    } catch (error) {
      logUnfinished(deps, job, error)
    } finally {
      slots.leave(running)
      listeners.onReleased(job)
      start()
      if (!isFollowed && !isBacklogged()) listeners.onRoom()
    }
  }

  const start = (): void => {
    while (share.room() > 0 && slots.ending < MAX_ENDING && !isStopping) {
      const job = waiting.take()
      if (job === undefined) break
      void run(job)
    }
    if (waiting.size > 0) share.want(true)
  }

  return {
    get running() {
      return slots.running
    },
    get waiting() {
      return waiting.size
    },
    get isBacklogged() {
      return isBacklogged()
    },
    accept: (jobs) => {
      waiting.enter(jobs)
      start()
    },
    start,
    drop: (claim) => {
      waiting.drop(claim)
      slots.abort(claim, 'lost')
    },
    cancel: (id) => {
      const unstarted = waiting.takeById(id)
      if (unstarted === undefined) slots.abortById(id, 'canceled')
      else void handBack([unstarted])
    },
    stop: async (lastClaim) => {
      isStopping = true
      await lastClaim
      await handBack(waiting.empty())
      await slots.empty(graceMs)
    },
  }
}
