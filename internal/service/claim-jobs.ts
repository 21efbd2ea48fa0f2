/** Hands queued jobs to a worker. */
import { fairOrder } from '#core/fair-order.ts'
import { type IsolationLevel, levelRank } from '#core/isolation-level.ts'
import type { WorkerReach } from '#core/placement.ts'
import {
  type ClaimRequest,
  claimJobs as claimStatements,
  DUE_BATCH,
  findClaimed,
  isBlocked,
  peekQueue,
  type QueueState,
  toClaimedJob,
  toQueued,
  toQueueState,
} from '#store/claim.ts'
import { DatabaseError } from '#store/database.ts'
import type { ClaimedJob } from '#store/job-queue.ts'
import type { Deps } from './deps.ts'

type ClaimDeps = Pick<Deps, 'db' | 'newId' | 'hints' | 'limits' | 'passFault'>

type Claimed = Readonly<{
  jobs: readonly ClaimedJob[]
  /** It got no further than to what cannot run now: behind that there may be more. */
  isCutShort: boolean
  /** The workspace that had the last turn, though its jobs may have been blocked. */
  afterWs: string
}>

export type ClaimWish = Pick<ClaimRequest, 'worker' | 'tags' | 'limit' | 'leaseMs'> &
  Readonly<{
    /** The workspace that this worker served last; the turn is with those behind it. @default the first */
    afterWs?: string
    /** The isolation that the worker gives. @default vm: jobs of every level */
    level?: IsolationLevel
    /** Only jobs of these workspaces. @default empty: of all */
    workspaces?: readonly string[]
  }>

/**
 * Claims up to `limit` jobs, in the order in which they should start: round robin by workspace. The last one's workspace
 * is the `afterWs` of the next claim. It may come back with fewer although more wait, but never with none.
 */
export const claimJobs = async (
  deps: ClaimDeps,
  wish: ClaimWish,
): Promise<readonly ClaimedJob[]> => {
  // a workspace whose jobs were all blocked has had its turn: the next ones must not wait for it
  for (let { afterWs = '' } = wish; ; ) {
    const claimed = await claimOnce(deps, { ...wish, afterWs })
    if (claimed.jobs.length > 0 || !claimed.isCutShort) return claimed.jobs
    afterWs = claimed.afterWs
  }
}

/**
 * When the answer was lost, the jobs that this claim took are looked up by its id, so that none of them waits for its
 * lease to run out.
 */
const claimOnce = async (
  deps: ClaimDeps,
  wish: ClaimWish & Readonly<{ afterWs: string }>,
): Promise<Claimed> => {
  const { afterWs } = wish
  const claimId = deps.newId()
  const maxRunning = deps.limits.workspaceMaxRunning
  try {
    deps.passFault('claim_before_commit')
    const reach = { workspaces: wish.workspaces ?? [], levelRank: levelRank(wish.level ?? 'vm') }
    const statements = claimStatements({ ...wish, ...reach, claimId, maxRunning })
    const [due, claim] = await deps.db.write(statements)
    deps.passFault('claim_committed')
    const rows = claim?.rows ?? []
    const jobs = rows.filter((row) => !isBlocked(row)).map(toClaimedJob)
    for (const { id } of jobs) deps.hints.jobChanged.emit(id)
    const blocked = fairOrder(rows.filter(isBlocked).map(toQueued), afterWs)
    const isCutShort = blocked.length > 0 || due?.changes === DUE_BATCH
    return {
      jobs: fairOrder(jobs, afterWs),
      isCutShort,
      afterWs: blocked.at(-1)?.ws ?? afterWs,
    }
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.outcome !== 'unknown') throw error
    const rows = await deps.db.all(findClaimed(claimId))
    return { jobs: fairOrder(rows.map(toClaimedJob), afterWs), isCutShort: false, afterWs }
  }
}

/** What waits for a worker of this reach, by a read alone. */
export const peekJobs = async (
  deps: Pick<Deps, 'db'>,
  { level, ...reach }: WorkerReach,
): Promise<QueueState> =>
  toQueueState(await deps.db.one(peekQueue({ ...reach, levelRank: levelRank(level) })))
