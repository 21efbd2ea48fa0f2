/**
 * The jobs of this worker: those whose script runs, each in a worker slot, and those whose result is being written. A slot
 * is free as soon as its script has ended, so that it does not wait for the disk.
 */
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { claimKey, type LeasedClaim } from '#store/jobs/lease.ts'
import type { Running, StopReason } from './run-claimed-job.ts'
import type { SlotShare } from './slot-pool.ts'

export interface Slots {
  /** Number of running scripts. */
  readonly running: number
  /** Number of results that are not written yet. */
  readonly ending: number
  enter(job: ClaimedJob): Running
  /** Frees the slot: the script has ended, and its result is still to be written. */
  free(running: Running): void
  leave(running: Running): void
  /** Aborts an attempt. The first reason counts, but any later one replaces `canceled`. Other claims of the job continue. */
  abort(claim: LeasedClaim, reason: StopReason): void
  abortById(id: string, reason: StopReason): void
  /** Resolves when nothing runs and all results are written. After `graceMs`, aborts what still runs, to hand it back. */
  empty(graceMs: number): Promise<void>
}

/** Creates the slots of one claim loop. It does not limit their number. @param share counts them with those of other loops */
export const createSlots = (share: Pick<SlotShare, 'enter' | 'leave'>): Slots => {
  const entries = new Set<Running>()
  const ending = new Set<Running>()
  let onEmpty: () => void = () => undefined

  const stopRun = (entry: Running, reason: StopReason): void => {
    const before = entry.reason
    if (before === null || before === 'canceled') entry.reason = reason
    // a lost or stopped attempt has no time to clean up, even if it was already canceled
    if (reason === 'canceled') entry.cancel.abort()
    else entry.abort.abort()
  }

  const free = (entry: Running): void => {
    if (ending.has(entry)) return
    ending.add(entry)
    share.leave()
  }

  return {
    get running() {
      return entries.size - ending.size
    },
    get ending() {
      return ending.size
    },
    enter: (job) => {
      const entry: Running = {
        job,
        abort: new AbortController(),
        cancel: new AbortController(),
        reason: null,
      }
      entries.add(entry)
      share.enter()
      return entry
    },
    free,
    leave: (entry) => {
      free(entry)
      entries.delete(entry)
      ending.delete(entry)
      if (entries.size === 0) onEmpty()
    },
    abort: (claim, reason) => {
      for (const entry of entries) {
        if (claimKey(entry.job) === claimKey(claim)) stopRun(entry, reason)
      }
    },
    abortById: (id, reason) => {
      for (const entry of entries) if (entry.job.id === id) stopRun(entry, reason)
    },
    empty: async (graceMs) => {
      if (entries.size === 0) return
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      const timer = setTimeout(() => {
        for (const entry of entries) stopRun(entry, 'hand_back')
      }, graceMs)
      await empty
      clearTimeout(timer)
    },
  }
}
