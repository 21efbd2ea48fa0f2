/** A worker's reads of the queue: by a timer, and after writes that may let jobs start. They never write. */
import type { WorkerReach } from '#core/placement/placement.ts'
import type { Logger } from '#log/logger.ts'
import type { Deps } from '#service/deps.ts'
import { readQueue, readQueueBehind } from '#service/queue/claim-jobs.ts'
import type { QueueState } from '#store/jobs/queue-state.ts'
import { createQueuePoll, type QueuePoll } from './queue-poll.ts'

type ReadDeps = Pick<Deps, 'db'> &
  Readonly<{
    log: Logger
    isLinked: () => boolean
    /** Returns true while the next claim may find jobs that a read of the queue would not show. */
    mustClaim: () => boolean
  }>

const MUST_CLAIM: QueueState = { mayClaim: true, nextDueMs: null }

export type QueueReads = Readonly<{
  poll: QueuePoll
  /** Reads after the write that was handed to the database last, in the same commit. Writes of one commit share a read. */
  readBehind: () => void
}>

/** Creates the reads. @param onMayClaim called when a job that could be claimed may be waiting */
export const createQueueReads = (
  deps: ReadDeps,
  reach: WorkerReach,
  onMayClaim: () => void,
): QueueReads => {
  const poll = createQueuePoll({
    read: async () => (deps.mustClaim() ? MUST_CLAIM : readQueue(deps, reach)),
    onMayClaim,
    isLinked: deps.isLinked,
    onError: (error) => deps.log.warn('Could not read the queue; trying again soon.', { error }),
  })
  let isAhead = false
  const onTaken = (): void => {
    isAhead = false
  }
  const read = async (): Promise<void> => {
    try {
      const state = await readQueueBehind(deps, reach, onTaken).finally(onTaken)
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
    readBehind: () => {
      if (isAhead) return
      isAhead = true
      void read()
    },
  }
}
