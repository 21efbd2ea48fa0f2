/** The worker's looks at the queue: by a timer, and after writes that may let jobs start. They never write. */
import type { WorkerReach } from '#core/placement/placement.ts'
import type { Logger } from '#log/logger.ts'
import type { Deps } from '#service/deps.ts'
import { peekBehind, peekJobs } from '#service/queue/claim-jobs.ts'
import type { QueueState } from '#store/jobs/queue-state.ts'
import { createQueuePoll, type QueuePoll } from './queue-poll.ts'

type LookDeps = Pick<Deps, 'db'> &
  Readonly<{
    log: Logger
    isLinked: () => boolean
    /** Returns true while the next claim may find jobs that a look at the queue would not show. */
    mustClaim: () => boolean
  }>

const MUST_CLAIM: QueueState = { mayClaim: true, nextDueMs: null }

export type Looks = Readonly<{
  poll: QueuePoll
  /** Looks after the write that was handed to the database last, in the same commit. Writes of one commit share a look. */
  lookBehind: () => void
}>

/** Creates the looks. @param onMayClaim called when a job that could be claimed may be waiting */
export const createLooks = (deps: LookDeps, reach: WorkerReach, onMayClaim: () => void): Looks => {
  const poll = createQueuePoll({
    peek: async () => (deps.mustClaim() ? MUST_CLAIM : peekJobs(deps, reach)),
    onMayClaim,
    isLinked: deps.isLinked,
    onError: (error) => deps.log.warn('Could not look at the queue; trying again soon.', { error }),
  })
  let isAhead = false
  const onTaken = (): void => {
    isAhead = false
  }
  const look = async (): Promise<void> => {
    try {
      const state = await peekBehind(deps, reach, onTaken).finally(onTaken)
      poll.inform(state)
      if (state.mayClaim) onMayClaim()
    } catch {
      // the write before it failed too, and its caller reports the error
      poll.quicken()
      poll.schedule()
    }
  }
  return {
    poll,
    lookBehind: () => {
      if (isAhead) return
      isAhead = true
      void look()
    },
  }
}
