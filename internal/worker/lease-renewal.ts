/**
 * Renews the leases of all jobs that this worker holds. It runs in a thread of its own (lease-thread.ts), so that
 * nothing the main thread does, no large result and no busy loop, can starve it. While no job is held it does nothing.
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

export type LeaseRenewalOptions = Readonly<{
  db: Database
  leaseMs: number
  report: (report: LeaseReport) => void
  monotonicNow: () => number
}>

export interface LeaseRenewal {
  handle(command: LeaseCommand): void
  /** One renewal of everything held; the timer calls it, and tests. */
  runOnce(): Promise<void>
}

const toKey = (held: Held): string => `${held.id}:${held.attempt}`

export const createLeaseRenewal = (options: LeaseRenewalOptions): LeaseRenewal => {
  const held = new Map<string, Held>()
  let timer: ReturnType<typeof setInterval> | null = null
  let isRunning = false

  const runOnce = async (): Promise<void> => {
    if (held.size === 0 || isRunning) return
    isRunning = true
    const jobs = [...held.values()]
    const sentAt = options.monotonicNow()
    try {
      options.report({ ...(await renewLeases(options.db, jobs, options.leaseMs)), sentAt })
    } catch {
      // The database did not answer. The keeper notices by the time that passes without a report and, before the
      // lease can end, kills the jobs; saying more here could not help anybody.
    } finally {
      isRunning = false
    }
  }

  const schedule = (): void => {
    if (held.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    } else if (held.size > 0 && timer === null) {
      timer = setInterval(() => void runOnce(), renewEveryMs(options.leaseMs))
    }
  }

  const handle = (command: LeaseCommand): void => {
    if (command.kind === 'hold') for (const job of command.jobs) held.set(toKey(job), job)
    else if (command.kind === 'release') for (const job of command.jobs) held.delete(toKey(job))
    else held.clear()
    schedule()
  }

  return { handle, runOnce }
}
