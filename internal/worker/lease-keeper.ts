/**
 * Renews the leases of running jobs through a thread, and reports jobs whose lease is lost.
 *
 * It guarantees: a job is reported `lost` before its lease can end, even when the database does not answer, because trust
 * ends before the lease does (core/job/lease.ts) and is counted from before the commit of the claim or the renewal.
 * It leaves to others: killing the job (loop.ts).
 */
import { hasLostTrust, renewEveryMs } from '#core/job/lease.ts'
import { claimKey, type LeasedClaim } from '#store/jobs/lease.ts'
import type { LeaseCommand, LeaseReport, LeaseState } from './lease-renewal.ts'

/** The part of a thread that the keeper needs: a Worker of node:worker_threads, or a fake in tests. */
export interface LeaseThread {
  post(command: LeaseCommand): void
  onReport(listener: (report: LeaseReport) => void): void
  /** Also called when the thread ends. A restarted thread knows no claims when it first reports that it renews. */
  onState(listener: (state: LeaseState) => void): void
  stop(): Promise<void>
}

export type LeaseKeeperOptions = Readonly<{
  thread: LeaseThread
  leaseMs: number
  monotonicNow: () => number
  onLost: (claim: LeasedClaim) => void
  onCanceled: (claim: LeasedClaim) => void
  /** Called when renewals begin to work or stop working. */
  onState: (state: LeaseState) => void
}>

export interface LeaseKeeper {
  /** False if a new claim could not be renewed. */
  readonly isRenewing: boolean
  /** Starts renewing these claims. @param sentAt monotonic milliseconds, read before the commit of the claim began */
  add(claims: readonly LeasedClaim[], sentAt: number): void
  release(claim: LeasedClaim): void
  stop(): Promise<void>
}

/** Milliseconds for which releases are collected into one message. Renewing an ended job meanwhile is harmless. */
const RELEASE_DELAY_MS = 250

/** Copies the fields that the thread needs, without the job's payload. */
const toClaim = ({ ws, id, attempt, claimId }: LeasedClaim): LeasedClaim => ({
  ws,
  id,
  attempt,
  claimId,
})

type Trusted = { readonly claim: LeasedClaim; renewedAt: number }

/** Creates the keeper of one worker. */
export const createLeaseKeeper = (options: LeaseKeeperOptions): LeaseKeeper => {
  const { thread, leaseMs, monotonicNow } = options
  const trusted = new Map<string, Trusted>()
  let released: LeasedClaim[] = []
  let releaseTimer: ReturnType<typeof setTimeout> | null = null
  let trustTimer: ReturnType<typeof setInterval> | null = null
  let isRenewing = false

  const isTrusted = (claim: LeasedClaim): boolean => trusted.has(claimKey(claim))

  const release = (claim: LeasedClaim): void => {
    trusted.delete(claimKey(claim))
    released.push(toClaim(claim))
    releaseTimer ??= setTimeout(flushReleased, RELEASE_DELAY_MS)
  }

  /** Also releases the claim, because no other code releases a job that waited for a slot. */
  const lose = (claim: LeasedClaim): void => {
    release(claim)
    options.onLost(claim)
  }

  const checkTrust = (): void => {
    const now = monotonicNow()
    for (const { claim, renewedAt } of [...trusted.values()]) {
      if (hasLostTrust(leaseMs, renewedAt, now)) lose(claim)
    }
    if (trusted.size === 0 && trustTimer !== null) {
      clearInterval(trustTimer)
      trustTimer = null
    }
  }

  const flushReleased = (): void => {
    releaseTimer = null
    if (released.length > 0) thread.post({ kind: 'release', claims: released })
    released = []
  }

  thread.onReport((report) => {
    for (const claim of report.renewed) {
      const entry = trusted.get(claimKey(claim))
      if (entry !== undefined) entry.renewedAt = report.sentAt
    }
    for (const claim of report.lost.filter(isTrusted)) lose(claim)
    for (const claim of report.canceled.filter(isTrusted)) options.onCanceled(claim)
  })

  thread.onState((state) => {
    if (state.isRenewing && trusted.size > 0) {
      thread.post({ kind: 'add', claims: [...trusted.values()].map(({ claim }) => toClaim(claim)) })
    }
    if (state.isRenewing === isRenewing) return
    isRenewing = state.isRenewing
    options.onState(state)
  })

  return {
    get isRenewing() {
      return isRenewing
    },
    add: (claims, sentAt) => {
      if (claims.length === 0) return
      for (const claim of claims) trusted.set(claimKey(claim), { claim, renewedAt: sentAt })
      thread.post({ kind: 'add', claims: claims.map(toClaim) })
      trustTimer ??= setInterval(checkTrust, renewEveryMs(leaseMs) / 2)
    },
    release,
    stop: async () => {
      if (trustTimer !== null) clearInterval(trustTimer)
      if (releaseTimer !== null) clearTimeout(releaseTimer)
      await thread.stop()
    },
  }
}
