/**
 * Renews the leases of running jobs through a thread, and reports a job whose lease is lost.
 *
 * It guarantees: a job is reported `lost` before its lease can end, even when the database does not answer, because trust
 * ends earlier (core/lease.ts) and is measured from the time before each claim or renewal was sent.
 * It leaves to others: killing the job (loop.ts).
 */
import { hasLostTrust, renewEveryMs } from '#core/lease.ts'
import type { Held } from '#store/jobs/lease.ts'
import type { LeaseCommand, LeaseReport, LeaseState } from './lease-renewal.ts'

/** The part of a thread that the keeper needs; a Worker of node:worker_threads, or a fake in tests. */
export interface LeaseThread {
  post(command: LeaseCommand): void
  onReport(listener: (report: LeaseReport) => void): void
  /** Also called when the thread ended. A restarted thread has no jobs when it first reports that it renews. */
  onState(listener: (state: LeaseState) => void): void
  stop(): Promise<void>
}

export type LeaseKeeperOptions = Readonly<{
  thread: LeaseThread
  leaseMs: number
  monotonicNow: () => number
  onLost: (held: Held) => void
  onCanceled: (held: Held) => void
  /** Renewals began to work, or stopped working. */
  onState: (state: LeaseState) => void
}>

export interface LeaseKeeper {
  /** False means that a new claim could not be renewed. */
  readonly isRenewing: boolean
  /** Starts renewing these claims. @param sentAt monotonic milliseconds before the claim was sent */
  hold(jobs: readonly Held[], sentAt: number): void
  release(held: Held): void
  stop(): Promise<void>
}

/** Milliseconds for which releases are collected into one message; renewing an ended job meanwhile is harmless. */
const RELEASE_DELAY_MS = 250

/** Copies the three fields that the thread needs, without the job's payload. */
const toHeld = ({ ws, id, attempt }: Held): Held => ({ ws, id, attempt })

type Trusted = { readonly held: Held; renewedAt: number }

/** Creates the keeper of one worker. */
export const createLeaseKeeper = (options: LeaseKeeperOptions): LeaseKeeper => {
  const { thread, leaseMs, monotonicNow } = options
  const trusted = new Map<string, Trusted>()
  let released: Held[] = []
  let releaseTimer: ReturnType<typeof setTimeout> | null = null
  let trustTimer: ReturnType<typeof setInterval> | null = null
  let isRenewing = false

  const isHeld = (held: Held): boolean => trusted.get(held.id)?.held.attempt === held.attempt

  const checkTrust = (): void => {
    const now = monotonicNow()
    for (const { held, renewedAt } of [...trusted.values()]) {
      if (!hasLostTrust(leaseMs, renewedAt, now)) continue
      trusted.delete(held.id)
      options.onLost(held)
    }
    if (trusted.size === 0 && trustTimer !== null) {
      clearInterval(trustTimer)
      trustTimer = null
    }
  }

  const flushReleased = (): void => {
    releaseTimer = null
    if (released.length > 0) thread.post({ kind: 'release', jobs: released })
    released = []
  }

  thread.onReport((report) => {
    for (const held of report.renewed) {
      const entry = trusted.get(held.id)
      if (entry !== undefined && isHeld(held)) entry.renewedAt = report.sentAt
    }
    for (const held of report.lost.filter(isHeld)) {
      trusted.delete(held.id)
      options.onLost(held)
    }
    for (const held of report.canceled.filter(isHeld)) options.onCanceled(held)
  })

  thread.onState((state) => {
    if (state.isRenewing && trusted.size > 0) {
      thread.post({ kind: 'hold', jobs: [...trusted.values()].map(({ held }) => toHeld(held)) })
    }
    if (state.isRenewing === isRenewing) return
    isRenewing = state.isRenewing
    options.onState(state)
  })

  return {
    get isRenewing() {
      return isRenewing
    },
    hold: (jobs, sentAt) => {
      if (jobs.length === 0) return
      for (const held of jobs) trusted.set(held.id, { held, renewedAt: sentAt })
      thread.post({ kind: 'hold', jobs: jobs.map(toHeld) })
      trustTimer ??= setInterval(checkTrust, renewEveryMs(leaseMs) / 2)
    },
    release: (held) => {
      if (isHeld(held)) trusted.delete(held.id)
      released.push(toHeld(held))
      releaseTimer ??= setTimeout(flushReleased, RELEASE_DELAY_MS)
    },
    stop: async () => {
      if (trustTimer !== null) clearInterval(trustTimer)
      if (releaseTimer !== null) clearTimeout(releaseTimer)
      await thread.stop()
    },
  }
}
