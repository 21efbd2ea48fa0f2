/**
 * Jobs that are claimed and wait for a slot of this worker. They wait a moment only: when the slots are taken by longer
 * jobs than foreseen, others may have them.
 */
import type { ClaimedJob, Held } from '#store/job-queue.ts'

const MAX_WAIT_MS = 250

export interface WaitingRoom {
  readonly size: number
  enter(jobs: readonly ClaimedJob[]): void
  /** The next to start, or undefined. */
  take(): ClaimedJob | undefined
  /** It is no longer ours. */
  drop(held: Held): void
  /** Takes one out of the room, or undefined when it is not there. */
  takeById(id: string): ClaimedJob | undefined
  /** Takes all that wait out of the room. */
  empty(): readonly ClaimedJob[]
}

/** @param onWaitedLong gets what could not start in time; it is out of the room then */
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
    drop: ({ id, attempt }) => {
      waiting = waiting.filter((job) => job.id !== id || job.attempt !== attempt)
      watch()
    },
    empty,
  }
}
