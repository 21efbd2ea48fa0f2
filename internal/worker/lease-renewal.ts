/**
 * Renews the leases of all jobs that this worker holds. It runs in a thread of its own (lease-thread.ts), so that
 * nothing the main thread does, no large result and no busy loop, can starve it. While no job is held it does nothing,
 * unless renewals fail: then it reads until the database answers again.
 */
import { renewEveryMs } from '#core/lease.ts'
import { type LeaseAnswer, renewLeases } from '#service/renew-leases.ts'
import type { Database } from '#store/database.ts'
import type { Held } from '#store/job-queue.ts'

export type LeaseCommand =
  | Readonly<{ kind: 'hold'; jobs: readonly Held[] }>
  | Readonly<{ kind: 'release'; jobs: readonly Held[] }>
  | Readonly<{ kind: 'stop' }>

/** `sentAt`: monotonic milliseconds, one clock in all threads of the process, taken before the renewal was sent. */
export type LeaseReport = LeaseAnswer & Readonly<{ sentAt: number }>

/** Whether renewals reach the database: a worker whose renewals do not claims nothing. */
export type LeaseState = Readonly<{ isRenewing: boolean }>

export type LeaseRenewalOptions = Readonly<{
  db: Database
  leaseMs: number
  report: (report: LeaseReport) => void
  /** Called when it changes; the first time as soon as the database has answered. */
  onState: (state: LeaseState) => void
  monotonicNow: () => number
}>

export interface LeaseRenewal {
  handle(command: LeaseCommand): void
  /** One renewal of everything held, or one question while the database is away; the timer calls it, and tests. */
  runOnce(): Promise<void>
  /** Asks the database for the first time. */
  start(): Promise<void>
}

const toKey = (held: Held): string => `${held.id}:${held.attempt}`

export const createLeaseRenewal = (options: LeaseRenewalOptions): LeaseRenewal => {
  const held = new Map<string, Held>()
  let timer: ReturnType<typeof setInterval> | null = null
  let isRunning = false
  let isStopped = false
  /** Null: the database was not asked yet. */
  let isRenewing: boolean | null = null

  const setState = (next: boolean): void => {
    if (isStopped) return
    if (next !== isRenewing) options.onState({ isRenewing: next })
    isRenewing = next
    schedule()
  }

  const renewOrAsk = async (): Promise<void> => {
    if (held.size === 0) {
      await options.db.now()
      return
    }
    const jobs = [...held.values()]
    const sentAt = options.monotonicNow()
    options.report({ ...(await renewLeases(options.db, jobs, options.leaseMs)), sentAt })
  }

  const runOnce = async (): Promise<void> => {
    if (isRunning || (held.size === 0 && isRenewing === true)) return
    isRunning = true
    try {
      await renewOrAsk()
      setState(true)
    } catch {
      // The database did not answer. The keeper notices by the time that passes without a report and, before the
      // lease can end, kills the jobs. Until a renewal works again the worker claims no more.
      setState(false)
    } finally {
      isRunning = false
    }
  }

  const schedule = (): void => {
    const isNeeded = !isStopped && (held.size > 0 || isRenewing === false)
    if (!isNeeded && timer !== null) {
      clearInterval(timer)
      timer = null
    } else if (isNeeded && timer === null) {
      timer = setInterval(() => void runOnce(), renewEveryMs(options.leaseMs))
    }
  }

  const handle = (command: LeaseCommand): void => {
    if (command.kind === 'hold') for (const job of command.jobs) held.set(toKey(job), job)
    else if (command.kind === 'release') for (const job of command.jobs) held.delete(toKey(job))
    else {
      isStopped = true
      held.clear()
    }
    schedule()
  }

  return { handle, runOnce, start: runOnce }
}
