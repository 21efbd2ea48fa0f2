/**
 * Renews the leases of all jobs of this worker. It runs in its own thread (lease-thread.ts), so that neither a large result
 * nor a busy loop in the main thread can delay it. Without jobs it does nothing, unless renewals fail: then it queries the
 * database until it answers again.
 */
import { renewEveryMs } from '#core/job/lease.ts'
import { type LeaseAnswer, renewLeases } from '#service/queue/renew-leases.ts'
import type { Database } from '#store/database.ts'
import { claimKey, type LeasedClaim } from '#store/jobs/lease.ts'

export type LeaseCommand =
  | Readonly<{ kind: 'add'; claims: readonly LeasedClaim[] }>
  | Readonly<{ kind: 'release'; claims: readonly LeasedClaim[] }>
  | Readonly<{ kind: 'stop' }>

/** `sentAt`: monotonic milliseconds, read before the renewal was sent. All threads of the process share this clock. */
export type LeaseReport = LeaseAnswer & Readonly<{ sentAt: number }>

/** Whether renewals reach the database. While they do not, the worker claims nothing. */
export type LeaseState = Readonly<{ isRenewing: boolean }>

export type LeaseRenewalOptions = Readonly<{
  db: Database
  leaseMs: number
  report: (report: LeaseReport) => void
  /** Called on each change, and once the first query has succeeded or failed. */
  onState: (state: LeaseState) => void
  monotonicNow: () => number
}>

export interface LeaseRenewal {
  handle(command: LeaseCommand): void
  /** Renews all leases once, or queries the database while it is unreachable. The timer and tests call it. */
  runOnce(): Promise<void>
  /** Queries the database for the first time. */
  start(): Promise<void>
}

/** Creates the renewal; `start` begins it. */
export const createLeaseRenewal = (options: LeaseRenewalOptions): LeaseRenewal => {
  const claims = new Map<string, LeasedClaim>()
  let timer: ReturnType<typeof setInterval> | null = null
  let isRunning = false
  let isStopped = false
  /** Null until the first query has succeeded or failed. */
  let isRenewing: boolean | null = null

  const setState = (next: boolean): void => {
    if (isStopped) return
    if (next !== isRenewing) options.onState({ isRenewing: next })
    isRenewing = next
    schedule()
  }

  const renewOrProbe = async (): Promise<void> => {
    if (claims.size === 0) {
      await options.db.now()
      return
    }
    const running = [...claims.values()]
    const sentAt = options.monotonicNow()
    options.report({ ...(await renewLeases(options.db, running, options.leaseMs)), sentAt })
  }

  const runOnce = async (): Promise<void> => {
    if (isRunning || (claims.size === 0 && isRenewing === true)) return
    isRunning = true
    try {
      await renewOrProbe()
      setState(true)
    } catch {
      // The database did not answer. The keeper notices that no report came and kills the jobs before their leases can end.
      // The worker claims nothing until a renewal works again.
      setState(false)
    } finally {
      isRunning = false
    }
  }

  const schedule = (): void => {
    const isNeeded = !isStopped && (claims.size > 0 || isRenewing === false)
    if (!isNeeded && timer !== null) {
      clearInterval(timer)
      timer = null
    } else if (isNeeded && timer === null) {
      timer = setInterval(() => void runOnce(), renewEveryMs(options.leaseMs))
    }
  }

  const handle = (command: LeaseCommand): void => {
    if (command.kind === 'add')
      for (const claim of command.claims) claims.set(claimKey(claim), claim)
    else if (command.kind === 'release')
      for (const claim of command.claims) claims.delete(claimKey(claim))
    else {
      isStopped = true
      claims.clear()
    }
    schedule()
  }

  return { handle, runOnce, start: runOnce }
}
