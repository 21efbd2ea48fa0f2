/**
 * Claimed jobs that wait for a slot of this worker. They wait only for a moment: when the slots stay occupied longer than
 * expected, the jobs are handed back for other workers.
 */
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { claimKey, type LeasedClaim } from '#store/jobs/lease.ts'

const MAX_WAIT_MS = 250

export interface WaitingRoom {
  readonly size: number
  enter(jobs: readonly ClaimedJob[]): void
  /** Returns the next job to start, or undefined. */
  take(): ClaimedJob | undefined
  /** Removes a claim whose lease is lost. */
  drop(claim: LeasedClaim): void
  /** Removes and returns a job; undefined if it does not wait here. */
  takeById(id: string): ClaimedJob | undefined
  /** Removes and returns all waiting jobs. */
  empty(): readonly ClaimedJob[]
}

/** Creates the waiting room. @param onWaitedLong receives jobs that waited too long and were removed */
export const createWaitingRoom = (
  onWaitedLong: (jobs: readonly ClaimedJob[]) => void,
): WaitingRoom => {
  let waiting: ClaimedJob[] = []
  let timer: ReturnType<typeof setTimeout> | null = null

  const empty = (): readonly ClaimedJob[] => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const jobs = waiting
    waiting = []
    return jobs
  }
  const watch = (): void => {
    if (waiting.length === 0) empty()
    else timer ??= setTimeout(() => onWaitedLong(empty()), MAX_WAIT_MS)
  }

  return {
    get size() {
      return waiting.length
    },
    enter: (jobs) => {
      waiting.push(...jobs)
      watch()
    },
    take: () => {
      const job = waiting.shift()
      watch()
      return job
    },
    takeById: (id) => {
      const job = waiting.find((each) => each.id === id)
      waiting = waiting.filter((each) => each !== job)
      watch()
      return job
    },
    drop: (lost) => {
      waiting = waiting.filter((job) => claimKey(job) !== claimKey(lost))
      watch()
    },
    empty,
  }
}
