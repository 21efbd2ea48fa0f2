/**
 * The worker: claims queued jobs, runs them in the sandbox, and writes their results.
 *
 * The write that ends a job may free a concurrency slot or room of a workspace. While jobs wait, a claim follows it in the
 * same commit. Otherwise a look at the queue follows, which costs a third of a claim and leads to one if it finds something.
 *
 * It guarantees: at most `concurrency` jobs run at once; every write names the attempt; a job whose lease may end is
 * killed before another worker can claim it; on stop the worker claims nothing more, gives running jobs `graceMs` to finish,
 * and then hands back the rest.
 * It leaves to others: the leases of lost workers (scheduler/duties/rescue-jobs.ts).
 * It fails by waiting: a database error only delays the next claim.
 */
import type { IsolationLevel } from '#core/placement/isolation-level.ts'
import { traceFields } from '#core/trace/traceparent.ts'
import type { Logger } from '#log/logger.ts'
import type { Deps } from '#service/deps.ts'
import { ANY_TAG } from '#service/hints.ts'
import { createJobCompleter } from '#service/queue/complete-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import type { LeasedClaim } from '#store/jobs/lease.ts'
import { createClaims, FULL_LOOK_MS } from './claim.ts'
import { claimInTurn } from './claim-in-turn.ts'
import { createClaiming } from './claiming.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import type { LeaseState } from './lease-renewal.ts'
import { createLooks } from './looks.ts'
import { monotonicNow } from './monotonic-clock.ts'
import { createPrefetch } from './prefetch.ts'
import type { QueuePoll } from './queue-poll.ts'
import { type RunDeps, runClaimedJob } from './run-claimed-job.ts'
import { createSlotPool, type SlotPool } from './slot-pool.ts'
import { createSlots, type Slots } from './slots.ts'
import { createWaitingRoom } from './waiting-room.ts'

export type WorkerOptions = Readonly<{
  name: string
  tags: readonly string[]
  /** The isolation level of the sandbox. */
  level: IsolationLevel
  /** Claims only jobs of these workspaces; empty for all. */
  workspaces: readonly string[]
  concurrency: number
  /** Milliseconds that running jobs have to finish on stop. */
  graceMs: number
}>

export type WorkerDeps = Omit<RunDeps, 'completeJob' | 'onSuspended'> &
  Readonly<{
    /** Slots shared with the loops of other cells. @default a pool of this worker alone */
    slotPool?: SlotPool
    log: Logger
    /** Called after each attempt, for metrics. */
    onEnded: (ended: Readonly<{ job: ClaimedJob; status: string; durationMs: number }>) => void
    createLeaseKeeper: (listeners: LeaseListeners) => LeaseKeeper
    /** Returns whether hints of all servers reach this process, so that polls may be rare. */
    isLinked: () => boolean
  }>

export type LeaseListeners = Readonly<{
  onLost: (claim: LeasedClaim) => void
  onCanceled: (claim: LeasedClaim) => void
  onState: (state: LeaseState) => void
}>

export interface Worker {
  start(): Promise<void>
  stop(): Promise<void>
  readonly running: number
}

type HintListeners = Readonly<{ onQueued: () => void; onCancelRequested: (id: string) => void }>

/** Subscribes to hints. @returns a function that unsubscribes */
const listen = (
  { hints }: Pick<Deps, 'hints'>,
  tags: readonly string[],
  { onQueued, onCancelRequested }: HintListeners,
): (() => void) => {
  const ends = [
    hints.jobQueued.subscribe((tag) => {
      if (tags.includes(tag)) onQueued()
    }),
    hints.jobQueuing.subscribe((tag) => {
      if (tag === ANY_TAG || tags.includes(tag)) onQueued()
    }),
    hints.cancelRequested.subscribe(onCancelRequested),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Hands back jobs that have not started, because the slots stay occupied longer than expected or the worker stops. */
const handBackUnstarted = async (deps: WorkerDeps, jobs: readonly ClaimedJob[]): Promise<void> => {
  try {
    await handBackJobs(deps, { jobs: jobs.map((job) => ({ claim: job, started: false })) })
  } catch (error) {
    deps.log.warn('Could not hand jobs back; their leases will run out.', { error })
  }
}

const warnOfLeases = ({ log }: Pick<WorkerDeps, 'log'>): void =>
  log.warn('Leases cannot be renewed: no jobs are claimed until they can.')

const logUnfinished = (
  { log }: Pick<WorkerDeps, 'log'>,
  { id, attempt, traceparent }: ClaimedJob,
  error: unknown,
): void =>
  log.error('Could not finish a job; its lease will run out.', {
    job: id,
    attempt,
    ...traceFields(traceparent),
    error,
  })

const tryAgainSoon = ({ log }: Pick<WorkerDeps, 'log'>, poll: QueuePoll, error: unknown): void => {
  log.warn('Could not claim jobs; trying again soon.', { error })
  poll.quicken()
}

/** Limit of results that wait to be written. Beyond it, no further job starts. */
const MAX_ENDING = 256

const runDepsOf = (deps: WorkerDeps, poll: QueuePoll, mayGather: () => boolean): RunDeps => ({
  ...deps,
  completeJob: createJobCompleter(deps, mayGather),
  onSuspended: (nextDueMs) => poll.inform({ mayClaim: false, nextDueMs }),
})

type UnstartedOptions = Readonly<{
  slots: Slots
  release: (job: ClaimedJob) => void
  onHandBack: () => void
}>

/** The jobs that were claimed and wait for a slot. */
const createUnstarted = (deps: WorkerDeps, { slots, release, onHandBack }: UnstartedOptions) => {
  const handBack = (jobs: readonly ClaimedJob[]): Promise<void> => {
    onHandBack()
    for (const job of jobs) release(job)
    return handBackUnstarted(deps, jobs)
  }
  const waiting = createWaitingRoom((jobs) => void handBack(jobs))
  return {
    waiting,
    handBack,
    /** Cancels a job. A job that has not started is handed back; its cancel mark then ends it at once. */
    cancel: (id: string): void => {
      const unstarted = waiting.takeById(id)
      if (unstarted === undefined) slots.abortById(id, 'canceled')
      else void handBack([unstarted])
    },
  }
}

/** Notifies idle workers, which may not know that a delayed job has become due. */
const wakeIdleWorkers = ({ hints }: Pick<WorkerDeps, 'hints'>, tags: readonly string[]): void => {
  for (const tag of tags) hints.jobQueued.forward(tag)
}

/** Creates a worker. It begins to claim when `start` is called. */
export const createWorker = (deps: WorkerDeps, options: WorkerOptions): Worker => {
  const { tags, concurrency } = options
  const { claim, mustClaim } = createClaims(deps, options)
  const share = (deps.slotPool ?? createSlotPool(concurrency)).join(() => wake())
  const slots = createSlots(share)
  const prefetch = createPrefetch(concurrency)
  let stopListening = (): void => undefined
  let isStopping = false

  const keeper = deps.createLeaseKeeper({
    onLost: (lost) => {
      waiting.drop(lost)
      slots.abort(lost, 'lost')
    },
    onCanceled: ({ id }) => cancel(id),
    onState: ({ isRenewing }) => (isRenewing ? wake() : warnOfLeases(deps)),
  })

  const { waiting, handBack, cancel } = createUnstarted(deps, {
    slots,
    release: (job) => keeper.release(job),
    onHandBack: prefetch.reset,
  })
  /** More claimed jobs wait than could start at once. */
  const hasBacklog = (): boolean => waiting.size > concurrency

  const claiming = createClaiming(
    claimInTurn(share, () => waiting.size > 0, {
      room: () => share.room() + prefetch.count() - waiting.size,
      mayGoOn: () => !isStopping && keeper.isRenewing && waiting.size <= prefetch.refillAt(),
      claim: async (limit, onTaken) => {
        const { jobs, takenAt, claimed } = await claim(limit, onTaken)
        keeper.add(jobs, takenAt)
        waiting.enter(jobs)
        startWaiting()
        poll.afterClaim(claimed)
        return claimed
      },
      onError: (error) => tryAgainSoon(deps, poll, error),
    }),
  )

  const fill = async (): Promise<void> => {
    if (isStopping || !keeper.isRenewing) return share.want(false)
    await claiming.request()
    // the last interval may be that of a rate, a few milliseconds
    poll.schedule(share.room() > 0 ? 0 : FULL_LOOK_MS)
  }

  // while claimed jobs wait for a slot, no other job could start, and the next job that ends causes a claim of many
  const wake = (): void => void (waiting.size === 0 ? fill() : startWaiting())

  const { poll, lookBehind } = createLooks({ ...deps, mustClaim }, options, () => {
    if (share.room() <= 0) wakeIdleWorkers(deps, tags)
    wake()
  })
  // an end waits for others only while many claimed jobs wait; the last are written at once, because the next claim follows
  const runDeps = runDepsOf(deps, poll, () => hasBacklog() && !isStopping)

  const startWaiting = (): void => {
    while (share.room() > 0 && slots.ending < MAX_ENDING && !isStopping) {
      const job = waiting.take()
      if (job === undefined) break
      void run(job)
    }
    if (waiting.size > 0) share.want(true)
  }

  const run = async (job: ClaimedJob): Promise<void> => {
    const running = slots.enter(job)
    const startedAt = monotonicNow()
    try {
      const writeEnd = await runClaimedJob(runDeps, running)
      const durationMs = monotonicNow() - startedAt
      prefetch.add(durationMs)
      slots.free(running)
      startWaiting()
      const onQueued = (): void => {
        const isClaimAhead = claiming.follow()
        running.isFollowed = isClaimAhead || !hasBacklog()
        if (!isClaimAhead && !hasBacklog()) lookBehind()
      }
      deps.onEnded({ job, status: await writeEnd(onQueued), durationMs })
    } catch (error) {
      logUnfinished(deps, job, error)
    } finally {
      slots.leave(running)
      keeper.release(job)
      startWaiting()
      if (!running.isFollowed && !hasBacklog()) void fill()
    }
  }

  return {
    get running() {
      return slots.running
    },
    start: async () => {
      stopListening = listen(deps, tags, { onQueued: wake, onCancelRequested: cancel })
      wake()
    },
    stop: async () => {
      if (isStopping) return
      isStopping = true
      stopListening()
      poll.stop()
      // a claim in progress may still return jobs
      await claiming.settled()
      await handBack(waiting.empty())
      await slots.empty(options.graceMs)
      await keeper.stop()
    },
  }
}
