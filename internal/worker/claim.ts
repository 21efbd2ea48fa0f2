/** Makes the claims of one worker. */
import type { WorkerReach } from '#core/placement/placement.ts'
import { type ClaimDeps, claimJobs, createClaimMemory } from '#service/queue/claim-jobs.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import type { ClaimOutcome } from './claiming.ts'
import { monotonicNow, suspendProofNow } from './monotonic-clock.ts'

export type WorkerClaims = Readonly<{
  /** @param onTaken called when the commit of the claim begins. `takenAt` is that time, in monotonic milliseconds. */
  claim: (
    limit: number,
    onTaken: () => void,
  ) => Promise<Readonly<{ jobs: readonly ClaimedJob[]; takenAt: number; outcome: ClaimOutcome }>>
  /** Returns true while the next claim may find jobs that a read of the queue would not show. */
  mustClaim: () => boolean
}>

/** Least time until a read for other workers. A job that ends here causes a read earlier. */
export const FULL_READ_MS = 1_000

/** Creates the claims. For fairness, each starts with the workspace after the last one served. */
export const createClaims = (
  deps: ClaimDeps,
  { name, tags, level, workspaces }: WorkerReach & Readonly<{ name: string }>,
): WorkerClaims => {
  let afterWs = ''
  const memory = createClaimMemory(suspendProofNow)
  return {
    claim: async (limit, onTaken) => {
      const leaseMs = deps.limits.jobLeaseMs
      const reach = { tags, level, workspaces }
      // the leases begin with the commit, which may come long after the request if the database is busy or returning
      let takenAt = monotonicNow()
      const onCommit = (): void => {
        takenAt = monotonicNow()
        onTaken()
      }
      const turn = { afterWs, onTaken: onCommit, memory }
      const jobs = await claimJobs(deps, { worker: name, ...reach, limit, leaseMs, ...turn })
      afterWs = jobs.at(-1)?.ws ?? afterWs
      const { mayBeMore, nextDueMs: dueMs } = memory
      const isFull = dueMs !== null && jobs.length === limit
      const nextDueMs = isFull ? Math.max(dueMs, FULL_READ_MS) : dueMs
      return { jobs, takenAt, outcome: { count: jobs.length, mayBeMore, nextDueMs } }
    },
    // jobs of a claim without an answer are marked as running
    mustClaim: () => memory.unanswered.length > 0,
  }
}
