/**
 * The worker: claims queued jobs, runs them in the sandbox, and writes their results.
 *
 * The write that ends a job may free a concurrency slot or room of a workspace. While jobs wait, a claim follows it in the
 * same commit. Otherwise a read of the queue follows, which costs a third of a claim and leads to one if it finds something.
 *
 * It guarantees: at most `concurrency` jobs run at once; every write names the attempt; a job whose lease may end is
 * killed before another worker can claim it; on stop the worker claims nothing more, gives running jobs `graceMs` to finish,
 * and then hands back the rest.
 * It leaves to others: the leases of lost workers (scheduler/duties/rescue-jobs.ts).
 * It fails by waiting: a database error only delays the next claim.
 */
import type { IsolationLevel } from '#core/placement/isolation-level.ts'
import type { Deps } from '#service/deps.ts'
import { ANY_TAG } from '#service/hints.ts'
import type { LeasedClaim } from '#store/jobs/lease.ts'
import { createClaims, FULL_READ_MS } from './claim.ts'
import { claimInTurn } from './claim-in-turn.ts'
import { type ClaimedJobsDeps, createClaimedJobs } from './claimed-jobs.ts'
import { createClaiming } from './claiming.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import type { LeaseState } from './lease-renewal.ts'
import { createPrefetch } from './prefetch.ts'
import { createQueueReads } from './queue-reads.ts'
import { createSlotPool, type SlotPool } from './slot-pool.ts'

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

export type WorkerDeps = ClaimedJobsDeps &
  Readonly<{
    /** Slots shared with the loops of other cells. @default a pool of this worker alone */
    slotPool?: SlotPool
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

/** Notifies idle workers, which may not know that a delayed job has become due. */
const wakeIdleWorkers = ({ hints }: Pick<WorkerDeps, 'hints'>, tags: readonly string[]): void => {
  for (const tag of tags) hints.jobQueued.forward(tag)
}

/** Creates a worker. It begins to claim when `start` is called. */
export const createWorker = (deps: WorkerDeps, options: WorkerOptions): Worker => {
  const { tags, concurrency, graceMs } = options
  const { claim, mustClaim } = createClaims(deps, options)
  const share = (deps.slotPool ?? createSlotPool(concurrency)).join(() => wake())
  const prefetch = createPrefetch(concurrency)
  let stopListening = (): void => undefined
  let isStopping = false

  const jobs = createClaimedJobs(
    deps,
    { share, concurrency, graceMs },
    {
      onScriptEnded: prefetch.add,
      onEndQueued: () => {
        if (claiming.follow()) return true
        if (jobs.isBacklogged) return false
        readBehind()
        return true
      },
      onReleased: (job) => keeper.release(job),
      onHandBack: prefetch.reset,
      onRoom: () => void fill(),
      onSuspended: (nextDueMs) => poll.inform({ mayClaim: false, nextDueMs }),
    },
  )

  const keeper = deps.createLeaseKeeper({
    onLost: jobs.drop,
    onCanceled: ({ id }) => jobs.cancel(id),
    onState: ({ isRenewing }) => {
      if (isRenewing) wake()
      else deps.log.warn('Leases cannot be renewed: no jobs are claimed until they can.')
    },
  })

  const claiming = createClaiming(
    claimInTurn(share, () => jobs.waiting > 0, {
      room: () => share.room() + prefetch.count() - jobs.waiting,
      mayGoOn: () => !isStopping && keeper.isRenewing && jobs.waiting <= prefetch.refillAt(),
      claim: async (limit, onTaken) => {
        const { jobs: claimed, takenAt, outcome } = await claim(limit, onTaken)
        keeper.add(claimed, takenAt)
        jobs.accept(claimed)
        poll.afterClaim(outcome)
        return outcome
      },
      onError: (error) => {
        deps.log.warn('Could not claim jobs; trying again soon.', { error })
        poll.quicken()
      },
    }),
  )

  const fill = async (): Promise<void> => {
    if (isStopping || !keeper.isRenewing) return share.want(false)
    await claiming.request()
    // the last interval may be that of a rate, a few milliseconds
    poll.schedule(share.room() > 0 ? 0 : FULL_READ_MS)
  }

  // while claimed jobs wait for a slot, no other job could start, and the next job that ends causes a claim of many
  const wake = (): void => void (jobs.waiting === 0 ? fill() : jobs.start())

  const { poll, readBehind } = createQueueReads({ ...deps, mustClaim }, options, () => {
    if (share.room() <= 0) wakeIdleWorkers(deps, tags)
    wake()
  })

  return {
    get running() {
      return jobs.running
    },
    start: async () => {
      stopListening = listen(deps, tags, { onQueued: wake, onCancelRequested: jobs.cancel })
      wake()
    },
    stop: async () => {
      if (isStopping) return
      isStopping = true
      stopListening()
      poll.stop()
      await jobs.stop(claiming.settled())
      await keeper.stop()
    },
  }
}
