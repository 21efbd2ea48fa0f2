/**
 * The worker: claims queued jobs, runs them in the sandbox, writes how they ended.
 *
 * It guarantees: at most `concurrency` jobs run at once; every write names the attempt it was given; a job whose lease
 * it can no longer vouch for is killed before anybody else may claim it; on stop it claims nothing more, gives running
 * jobs the grace to finish, then hands back what is left.
 * It leaves to others: the leases of workers that died (scheduler/duties/rescue-jobs.ts).
 * It fails by waiting: an error of the database only delays the next claim.
 */
import type { Logger } from '#log/logger.ts'
import { claimJobs, peekJobs } from '#service/claim-jobs.ts'
import { completeJob, handBackJobs, type RunOutcome } from '#service/complete-job.ts'
import type { Deps } from '#service/deps.ts'
import { createJobLog } from '#service/job-log.ts'
import type { JobRunner } from '#service/run-job.ts'
import type { ClaimedJob, Held } from '#store/job-queue.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import { monotonicNow } from './monotonic-clock.ts'
import { nextAverageMs, prefetchCount } from './prefetch.ts'

export type WorkerOptions = Readonly<{
  name: string
  tags: readonly string[]
  concurrency: number
  graceMs: number
}>

export type WorkerDeps = Pick<Deps, 'db' | 'newId' | 'hints' | 'limits' | 'passFault'> &
  Readonly<{
    runner: JobRunner
    log: Logger
    /** Called for each job that ended, for metrics. */
    onEnded: (ended: Readonly<{ job: ClaimedJob; status: string; durationMs: number }>) => void
    createLeaseKeeper: (listeners: LeaseListeners) => LeaseKeeper
  }>

export type LeaseListeners = Readonly<{
  onLost: (held: Held) => void
  onCanceled: (held: Held) => void
}>

export interface Worker {
  readonly name: string
  start(): Promise<void>
  stop(): Promise<void>
  readonly running: number
}

type StopReason = 'canceled' | 'lost' | 'hand_back'
type Running = {
  readonly job: ClaimedJob
  readonly abort: AbortController
  reason: StopReason | null
}

/** Without hints the queue is looked at this often, more rarely while nothing comes. */
const FIRST_POLL_MS = 1_000
const SLOWEST_POLL_MS = 5_000
/** A claimed job that could not start within this is given to somebody else. */
const MAX_PREFETCH_WAIT_MS = 250

export const createWorker = (deps: WorkerDeps, options: WorkerOptions): Worker => {
  const { tags, concurrency } = options
  const running = new Map<string, Running>()
  const subscriptions: (() => void)[] = []
  let waiting: ClaimedJob[] = []
  let averageMs: number | null = null
  let isClaiming = false
  let claimAgain = false
  let isStopping = false
  let pollMs = FIRST_POLL_MS
  let pollTimer: ReturnType<typeof setTimeout> | null = null
  let handBackTimer: ReturnType<typeof setTimeout> | null = null
  let onIdle: () => void = () => undefined

  const keeper = deps.createLeaseKeeper({
    onLost: (held) => abort(held, 'lost'),
    onCanceled: (held) => abort(held, 'canceled'),
  })

  const abort = (held: Held, reason: StopReason): void => {
    const entry = running.get(held.id)
    if (entry === undefined || entry.job.attempt !== held.attempt) return
    entry.reason ??= reason
    entry.abort.abort()
  }

  const wake = (): void => {
    pollMs = FIRST_POLL_MS
    void fill()
  }

  /** Claims as long as jobs come and there is room; one claim at a time. */
  const fill = async (): Promise<void> => {
    if (isStopping) return
    if (isClaiming) {
      claimAgain = true
      return
    }
    isClaiming = true
    try {
      do {
        claimAgain = false
        const room =
          concurrency - running.size + prefetchCount(concurrency, averageMs) - waiting.length
        if (room > 0 && (await claimSome(room)) === room) claimAgain = true
      } while (claimAgain && !isStopping && running.size < concurrency)
    } catch (error) {
      deps.log.warn('Could not claim jobs; trying again soon.', { error })
    } finally {
      isClaiming = false
    }
    schedulePoll()
  }

  const claimSome = async (limit: number): Promise<number> => {
    const sentAt = monotonicNow()
    const leaseMs = deps.limits.jobLeaseMs
    const jobs = await claimJobs(deps, { worker: options.name, tags, limit, leaseMs })
    keeper.hold(jobs, sentAt)
    waiting.push(...jobs)
    startWaiting()
    return jobs.length
  }

  const startWaiting = (): void => {
    while (running.size < concurrency && !isStopping) {
      const job = waiting.shift()
      if (job === undefined) break
      void run(job)
    }
    if (waiting.length > 0) handBackTimer ??= setTimeout(handBackWaiting, MAX_PREFETCH_WAIT_MS)
    else if (handBackTimer !== null) {
      clearTimeout(handBackTimer)
      handBackTimer = null
    }
  }

  /** The slots are taken by longer jobs than foreseen: others may have what has not started. */
  const handBackWaiting = (): void => {
    handBackTimer = null
    const jobs = waiting
    waiting = []
    averageMs = MAX_PREFETCH_WAIT_MS
    for (const job of jobs) keeper.release(job)
    handBackJobs(deps, { jobs: jobs.map((held) => ({ held, started: false })) }).catch(
      (error: unknown) =>
        deps.log.warn('Could not hand jobs back; their leases will run out.', { error }),
    )
  }

  const run = async (job: ClaimedJob): Promise<void> => {
    const entry: Running = { job, abort: new AbortController(), reason: null }
    running.set(job.id, entry)
    const startedAt = monotonicNow()
    try {
      const status = await runToEnd(entry)
      const durationMs = monotonicNow() - startedAt
      averageMs = nextAverageMs(averageMs, durationMs)
      deps.onEnded({ job, status, durationMs })
    } catch (error) {
      // the database is away: the lease runs out and the job is queued again
      deps.log.error('Could not finish a job.', { job: job.id, attempt: job.attempt, error })
    } finally {
      running.delete(job.id)
      keeper.release(job)
      startWaiting()
      if (running.size === 0) onIdle()
      if (waiting.length <= concurrency) void fill()
    }
  }

  const runToEnd = async (entry: Running): Promise<string> => {
    const { job } = entry
    deps.passFault('run_started')
    const log = createJobLog({
      held: job,
      write: (statements) => deps.db.write(statements, { retry: true }),
      onWritten: () => deps.hints.jobLogged.emit(job.id),
    })
    const action = await deps.runner.findAction(job)
    const result = await deps.runner.run({ job, onLog: log.append, signal: entry.abort.signal })
    deps.passFault('run_ended')
    const logs = await log.finish()
    if (result.kind === 'aborted' && entry.reason === 'lost') return 'lost'
    if (result.kind === 'aborted' && entry.reason === 'hand_back') {
      await handBackJobs(deps, { jobs: [{ held: job, started: true }], logs })
      return 'handed_back'
    }
    const outcome: RunOutcome =
      result.kind === 'aborted'
        ? { kind: 'canceled' }
        : result.kind === 'failure'
          ? { ...result, mayRetry: true }
          : result
    return await completeJob(deps, { job, outcome, retry: action.definition.retry, logs })
  }

  /** Finds what no hint told of: delayed jobs that are due, and jobs queued by other processes. */
  const schedulePoll = (): void => {
    if (isStopping || pollTimer !== null) return
    const poll = async (): Promise<void> => {
      pollTimer = null
      try {
        const state = await peekJobs(deps, tags)
        if (state.mayClaim) return wake()
        pollMs = Math.min(
          pollMs * 1.5,
          SLOWEST_POLL_MS,
          Math.max(state.nextDueMs ?? pollMs * 1.5, 1),
        )
      } catch (error) {
        deps.log.warn('Could not look at the queue; trying again soon.', { error })
      }
      schedulePoll()
    }
    pollTimer = setTimeout(() => void poll(), pollMs)
  }

  const waitUntilIdle = async (): Promise<void> => {
    if (running.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, options.graceMs)
      onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    name: options.name,
    get running() {
      return running.size
    },
    start: async () => {
      subscriptions.push(
        deps.hints.jobQueued.subscribe((tag) => {
          if (tags.includes(tag)) wake()
        }),
        deps.hints.cancelRequested.subscribe((id) => {
          const entry = running.get(id)
          if (entry !== undefined) abort(entry.job, 'canceled')
        }),
      )
      wake()
    },
    stop: async () => {
      if (isStopping) return
      isStopping = true
      for (const unsubscribe of subscriptions) unsubscribe()
      if (pollTimer !== null) clearTimeout(pollTimer)
      if (handBackTimer !== null) clearTimeout(handBackTimer)
      handBackWaiting()
      await waitUntilIdle()
      if (running.size > 0) {
        const ended = new Promise<void>((resolve) => {
          onIdle = resolve
        })
        for (const { job } of running.values()) abort(job, 'hand_back')
        await ended
      }
      await keeper.stop()
    },
  }
}
