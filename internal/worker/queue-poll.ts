/** Finds jobs without a hint: delayed jobs that are due, and jobs whose hint was lost. It reads and never writes. */
import type { QueueState } from '#store/jobs/claim.ts'

/** The interval grows by `SLOWING` while no job comes. */
const FIRST_POLL_MS = 1_000
const SLOWEST_POLL_MS = 5_000
const SLOWING = 1.5

export type QueuePollOptions = Readonly<{
  peek: () => Promise<QueueState>
  onMayClaim: () => void
  onError: (error: unknown) => void
}>

export interface QueuePoll {
  /** Shortens the interval after there was work. */
  quicken(): void
  /** Starts the timer of the next poll unless it runs. */
  schedule(): void
  stop(): void
}

/** Creates the poll of one worker. */
export const createQueuePoll = ({ peek, onMayClaim, onError }: QueuePollOptions): QueuePoll => {
  let everyMs = FIRST_POLL_MS
  let timer: ReturnType<typeof setTimeout> | null = null
  let isStopped = false

  const schedule = (): void => {
    if (!isStopped) timer ??= setTimeout(() => void look(), everyMs)
  }
  const look = async (): Promise<void> => {
    timer = null
    try {
      const { mayClaim, nextDueMs } = await peek()
      if (isStopped) return
      if (mayClaim) return onMayClaim()
      const slower = Math.min(everyMs * SLOWING, SLOWEST_POLL_MS)
      everyMs = nextDueMs === null ? slower : Math.min(slower, Math.max(nextDueMs, 1))
    } catch (error) {
      onError(error)
    }
    schedule()
  }

  return {
    quicken: () => {
      everyMs = FIRST_POLL_MS
    },
    schedule,
    stop: () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
