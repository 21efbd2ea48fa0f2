/** Hands queued jobs to a worker. */
import { DatabaseError } from '#store/database.ts'
import {
  type ClaimedJob,
  type ClaimRequest,
  claimJobs as claimStatements,
  findClaimed,
  peekQueue,
  type QueueState,
  toClaimedJobs,
  toQueueState,
} from '#store/job-queue.ts'
import type { Deps } from './deps.ts'

/**
 * Claims up to `limit` jobs. When the answer was lost, the jobs that this claim took are looked up by its id, so that
 * none of them waits for its lease to run out.
 */
export const claimJobs = async (
  deps: Pick<Deps, 'db' | 'newId' | 'hints' | 'passFault'>,
  request: Omit<ClaimRequest, 'claimId'>,
): Promise<readonly ClaimedJob[]> => {
  const claimId = deps.newId()
  try {
    deps.passFault('claim_before_commit')
    const results = await deps.db.write(claimStatements({ ...request, claimId }))
    deps.passFault('claim_committed')
    const jobs = toClaimedJobs(results[1]?.rows ?? [])
    for (const { id } of jobs) deps.hints.jobChanged.emit(id)
    return jobs
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.outcome !== 'unknown') throw error
    return toClaimedJobs(await deps.db.all(findClaimed(claimId)))
  }
}

/** What waits for these tags, by a read alone. */
export const peekJobs = async (
  deps: Pick<Deps, 'db'>,
  tags: readonly string[],
): Promise<QueueState> => toQueueState(await deps.db.one(peekQueue(tags)))
