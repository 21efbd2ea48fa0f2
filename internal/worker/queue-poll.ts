/** Finds jobs without a hint: delayed jobs that are due, and jobs whose hint was lost. It only reads. */
import type { QueueState } from '#store/jobs/queue-state.ts'
import type { ClaimOutcome } from './claiming.ts'

/** First interval. It grows by the factor `SLOWING` while no job comes. */
const FIRST_POLL_MS = 1_000
const SLOWEST_POLL_MS = 5_000
/** Longest interval while hints reach this worker: a poll then only finds jobs whose hint was lost. */
const SLOWEST_LINKED_POLL_MS = 30_000
const SLOWING = 1.5

export type QueuePollOptions = Readonly<{
  read: () => Promise<QueueState>
  onMayClaim: () => void
  /** Returns whether hints of all servers reach this worker. */
  isLinked: () => boolean
  onError: (error: unknown) => void
}>

export interface QueuePoll {
  /** Polls soon if a poll is scheduled. */
  quicken(): void
  /** Polls soon if a claim got no job, because one may wait for something, and in time for the next delayed job. */
  afterClaim(outcome: ClaimOutcome): void
  /** Takes over what another read has found: polls in time for a job that becomes due. */
  inform(state: QueueState): void
  /** Schedules the next poll unless one is scheduled. @param leastMs for a caller that could not take a job sooner */
  schedule(leastMs?: number): void
  stop(): void
}

/** Creates the poll of one worker. */
export const createQueuePoll = ({
  read,
  onMayClaim,
  isLinked,
  onError,
}: QueuePollOptions): QueuePoll => {
  let everyMs = FIRST_POLL_MS
  let timer: ReturnType<typeof setTimeout> | null = null
  let dueAt = Number.POSITIVE_INFINITY
  let isStopped = false

  /** Sleeps for short times, so that a poll comes soon after the link is lost. */
  const arm = (): void => {
    timer = setTimeout(
      () => {
        timer = null
        if (isLinked() && performance.now() < dueAt) arm()
        else void pollNow()
      },
      // time has passed since the caller compared, and a negative delay makes Node warn
      Math.max(0, Math.min(dueAt - performance.now(), SLOWEST_POLL_MS)),
    )
  }
  const schedule = (ms = everyMs): void => {
    if (isStopped || timer !== null) return
    dueAt = performance.now() + ms
    arm()
  }
  const hasten = (ms: number): void => {
    if (timer !== null && performance.now() + ms < dueAt) {
      clearTimeout(timer)
      timer = null
    }
    schedule(ms)
  }
  const slowestMs = (): number => (isLinked() ? SLOWEST_LINKED_POLL_MS : SLOWEST_POLL_MS)

  const pollNow = async (): Promise<void> => {
    timer = null
    try {
      const { mayClaim, nextDueMs } = await read()
      if (isStopped) return
      if (mayClaim) {
        // the claim does not always read when the next delayed job is due
        everyMs = Math.min(everyMs, FIRST_POLL_MS)
        return onMayClaim()
      }
      const slower = Math.min(everyMs * SLOWING, slowestMs())
      everyMs = nextDueMs === null ? slower : Math.min(slower, Math.max(nextDueMs, 1))
    } catch (error) {
      onError(error)
    }
    schedule()
  }

  const hastenFor = (nextDueMs: number): void =>
    hasten(Math.min(Math.max(nextDueMs, 1), slowestMs()))

  const quicken = (): void => {
    everyMs = FIRST_POLL_MS
    if (timer !== null) hasten(FIRST_POLL_MS)
  }

  return {
    quicken,
    afterClaim: ({ count, nextDueMs }) => {
      if (count === 0) quicken()
      if (nextDueMs !== null) hastenFor(nextDueMs)
    },
    inform: ({ nextDueMs }) => {
      if (nextDueMs === null) schedule()
      else hastenFor(nextDueMs)
    },
    schedule: (leastMs = 0) => schedule(Math.max(everyMs, leastMs)),
    stop: () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
