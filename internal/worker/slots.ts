/** The jobs that run at this moment. */
import type { ClaimedJob, Held } from '#store/job-queue.ts'
import type { Running, StopReason } from './run-claimed-job.ts'

export interface Slots {
  readonly size: number
  enter(job: ClaimedJob): Running
  leave(job: ClaimedJob): void
  /** The first reason counts. Another attempt than the one that runs is left alone. */
  abort(held: Held, reason: StopReason): void
  abortById(id: string, reason: StopReason): void
  /** Resolves when nothing runs. What still does after `graceMs` is aborted, to be handed back. */
  empty(graceMs: number): Promise<void>
}

export const createSlots = (): Slots => {
  const running = new Map<string, Running>()
  let onEmpty: () => void = () => undefined

  const stopRun = (entry: Running, reason: StopReason): void => {
    entry.reason ??= reason
    entry.abort.abort()
  }

  return {
    get size() {
      return running.size
    },
    enter: (job) => {
      const entry: Running = { job, abort: new AbortController(), reason: null }
      running.set(job.id, entry)
      return entry
    },
    leave: (job) => {
      // the same job may have come back to this worker under a new attempt
      if (running.get(job.id)?.job.attempt === job.attempt) running.delete(job.id)
      if (running.size === 0) onEmpty()
    },
    abort: (held, reason) => {
      const entry = running.get(held.id)
      if (entry?.job.attempt === held.attempt) stopRun(entry, reason)
    },
    abortById: (id, reason) => {
      const entry = running.get(id)
      if (entry !== undefined) stopRun(entry, reason)
    },
    empty: async (graceMs) => {
      if (running.size === 0) return
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      const timer = setTimeout(() => {
        for (const entry of running.values()) stopRun(entry, 'hand_back')
      }, graceMs)
      await empty
      clearTimeout(timer)
    },
  }
}
