/** A worker on a real queue, whose runs a test starts, watches and ends by hand. */
import { expect, vi } from 'vitest'
import { bootstrap } from '#service/bootstrap.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { enqueueDepsOf, enqueueJob } from '#service/queue/enqueue-job.ts'
import type { JobOutcome } from '#service/queue/run-job.ts'
import { findDeploymentAction } from '#store/apps/deployments.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import type { Claim, LeasedClaim } from '#store/jobs/lease.ts'
import { findJob } from '#store/jobs/read.ts'
import { sql } from '#store/sql.ts'
import { createLeaseKeeper, type LeaseThread } from '#worker/lease-keeper.ts'
import {
  createLeaseRenewal,
  type LeaseCommand,
  type LeaseReport,
  type LeaseState,
} from '#worker/lease-renewal.ts'
import { createWorker, type LeaseListeners, type Worker } from '#worker/loop.ts'
import { monotonicNow } from '#worker/monotonic-clock.ts'
import { deployActions } from './deploy-action.ts'
import { openTemporaryDatabase } from './temporary-database.ts'
import { createTestDeps } from './test-deps.ts'

export const WS = 'default'
const cleanups: (() => Promise<void>)[] = []

/** Stops the workers and closes the databases that a test has opened. Call it in `afterEach`. */
export const closeQueues = async (): Promise<void> => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

export type RunningJob = Readonly<{
  id: string
  attempt: number
  claim: LeasedClaim
  signal: AbortSignal
  canceled: AbortSignal
  end: (outcome: JobOutcome | Promise<JobOutcome>) => void
}>

export const SUCCESS: JobOutcome = { kind: 'success', resultJson: '"done"' }

/** Lets a test make the database unavailable to the loop. */
export const createGate = (db: Database) => {
  let isAway = false
  let writes = 0
  const away = () => new DatabaseError('Away.', { kind: 'unavailable', outcome: 'none' })
  const gated: Database = {
    ...db,
    write: async (statements, options) => {
      if (isAway) throw away()
      writes += 1
      return db.write(statements, options)
    },
  }
  return {
    gated,
    takeAway: () => {
      isAway = true
    },
    giveBack: () => {
      isAway = false
    },
    writes: () => writes,
  }
}

export const GREETING = {
  ws: WS,
  app: 'hello',
  action: 'greet',
  inputJson: '{}',
  input: {},
  triggerKind: 'api',
  createdBy: 'a@b',
  permissionedAs: 'a@b',
} as const

export const openQueue = async () => {
  const { db, close } = await openTemporaryDatabase()
  cleanups.push(close)
  const deps = createTestDeps(db)
  await bootstrap(deps, { email: 'a@b', password: 'only for tests' })
  await deployActions(deps, [{ ws: WS, app: 'hello', key: 'greet' }])
  const enqueueDeps = enqueueDepsOf(deps)
  const enqueue = async (): Promise<string> => {
    const { jobId } = await enqueueJob(enqueueDeps, GREETING)
    return jobId
  }
  const statusOf = async (id: string) => (await findJob(db, WS, id))?.status
  const crashesOf = async (id: string) =>
    await db.one(sql`SELECT crash_count, attempt FROM jobs WHERE ws = ${WS} AND id = ${id}`)
  return { deps, enqueue, statusOf, crashesOf }
}

type Queue = Awaited<ReturnType<typeof openQueue>>

/** Keeps real leases and renews them within this process when the test asks for it. */
export const openLeases = (db: Database, leaseMs: number) => {
  const commands: LeaseCommand[] = []
  let report: (report: LeaseReport) => void = () => undefined
  let setState: (state: LeaseState) => void = () => undefined
  const renewal = createLeaseRenewal({
    db,
    leaseMs,
    report: (given) => report(given),
    onState: (state) => setState(state),
    monotonicNow,
  })
  const thread: LeaseThread = {
    post: (command) => {
      commands.push(command)
      renewal.handle(command)
    },
    onReport: (listener) => {
      report = listener
    },
    onState: (listener) => {
      setState = listener
    },
    stop: async () => renewal.handle({ kind: 'stop' }),
  }
  const lost: Claim[] = []
  const keeper = createLeaseKeeper({
    leaseMs,
    monotonicNow,
    thread,
    onLost: (claim) => lost.push(claim),
    onCanceled: () => undefined,
    onState: () => undefined,
  })
  cleanups.push(() => keeper.stop())
  return { keeper, commands, lost, renew: renewal.runOnce }
}

export const startWorker = async (
  deps: AllDeps,
  options: Readonly<{
    concurrency?: number
    graceMs?: number
    db?: Database
    /** Whether leases are renewed. @default they are renewed */
    isRenewing?: () => boolean
    /** This many runs end at once, after which the worker claims ahead. */
    quickRuns?: number
    /** Called with the time from which the worker relies on the leases of a claim. */
    onLeased?: (ids: readonly string[], sentAt: number) => void
  }> = {},
) => {
  const started: RunningJob[] = []
  const leased = new Set<string>()
  let listeners: LeaseListeners | null = null
  const worker: Worker = createWorker(
    {
      ...deps,
      db: options.db ?? deps.db,
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: () => undefined,
        error: () => undefined,
      },
      onEnded: () => undefined,
      isLinked: () => false,
      createLeaseKeeper: (given) => {
        listeners = given
        return {
          get isRenewing() {
            return options.isRenewing?.() ?? true
          },
          add: (jobs, sentAt) => {
            for (const { id } of jobs) leased.add(id)
            if (jobs.length > 0) {
              options.onLeased?.(
                jobs.map(({ id }) => id),
                sentAt,
              )
            }
          },
          release: ({ id }) => void leased.delete(id),
          stop: async () => undefined,
        }
      },
      runner: {
        findAction: async (job) => {
          const action = await findDeploymentAction(deps.db, job.deploymentId, job.action)
          if (action === null) throw new Error('No action.')
          return action
        },
        run: ({ job, signal, canceled = new AbortController().signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve({ kind: 'aborted' }))
            started.push({
              id: job.id,
              attempt: job.attempt,
              claim: job,
              signal,
              canceled,
              end: resolve,
            })
            if (started.length <= (options.quickRuns ?? 0)) resolve(SUCCESS)
          }),
      },
    },
    {
      name: 'w1',
      tags: ['default'],
      level: 'runtime',
      workspaces: [],
      concurrency: options.concurrency ?? 2,
      graceMs: options.graceMs ?? 20,
    },
  )
  cleanups.push(() => worker.stop())
  await worker.start()
  const nthStarted = (count: number): Promise<RunningJob> =>
    vi.waitFor(() => {
      const job = started[count - 1]
      if (job === undefined) throw new Error(`Job ${count} has not started.`)
      return job
    })
  return {
    worker,
    started,
    leased,
    nthStarted,
    lose: (claim: LeasedClaim) => listeners?.onLost(claim),
    setState: (state: LeaseState) => listeners?.onState(state),
  }
}

/** A worker whose only slot is taken, with jobs that it has claimed but not started. */
export const openWaiting = async (queue: Queue, count: number) => {
  const { deps, enqueue } = queue
  const quickRuns = 20
  const worker = await startWorker(deps, { concurrency: 1, quickRuns })
  for (let quick = 1; quick <= quickRuns; quick += 1) {
    const id = await enqueue()
    await expect.poll(() => queue.statusOf(id), { interval: 1 }).toBe('success')
  }
  const ids = await Promise.all(Array.from({ length: count + 1 }, enqueue))
  await vi.waitFor(() => expect(worker.leased).toEqual(new Set(ids)), { interval: 1 })
  const running = await worker.nthStarted(quickRuns + 1)
  return { ...worker, running, waiting: ids.filter((id) => id !== running.id), quickRuns }
}
