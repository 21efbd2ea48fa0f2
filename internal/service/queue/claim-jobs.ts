/** Claims queued jobs for a worker. */
import { fairOrder } from '#core/fair-order.ts'
import { type IsolationLevel, levelRank } from '#core/isolation-level.ts'
import type { WorkerReach } from '#core/placement.ts'
import { DatabaseError } from '#store/database.ts'
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
} from '#store/jobs/claim.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import type { Deps } from '../deps.ts'

type ClaimDeps = Pick<Deps, 'db' | 'newId' | 'hints' | 'limits' | 'passFault'>

type Claimed = Readonly<{
  jobs: readonly ClaimedJob[]
  /** The claim saw only jobs that cannot run now; there may be more behind them. */
  isCutShort: boolean
  /** The last workspace in turn, even if its jobs were blocked. */
  afterWs: string
}>

export type ClaimOptions = Pick<ClaimRequest, 'worker' | 'tags' | 'limit' | 'leaseMs'> &
  Readonly<{
    /** The workspace that this worker served last; the ones after it are next. @default the first is next */
    afterWs?: string
    /** The isolation level of the worker. @default vm, which is enough for every job */
    level?: IsolationLevel
    /** Only jobs of these workspaces. @default empty, for all */
    workspaces?: readonly string[]
    /** Called when the commit of the claim begins: what is written from then on is not seen by it. */
    onTaken?: () => void
  }>

/**
 * Claims up to `limit` jobs in the order in which they should start, round robin by workspace. The workspace of the last
 * job is the `afterWs` of the next claim. It may return fewer jobs although more wait, but returns none only if none wait.
 */
export const claimJobs = async (
  deps: ClaimDeps,
  options: ClaimOptions,
): Promise<readonly ClaimedJob[]> => {
  // a workspace with only blocked jobs has had its turn, so that the next ones need not wait for it
  for (let { afterWs = '' } = options; ; ) {
    const claimed = await claimOnce(deps, { ...options, afterWs })
    if (claimed.jobs.length > 0 || !claimed.isCutShort) return claimed.jobs
    afterWs = claimed.afterWs
  }
}

/** Claims once. If the answer of the write is lost, the claimed jobs are found by the claim's id, not left to their leases. */
const claimOnce = async (
  deps: ClaimDeps,
  options: ClaimOptions & Readonly<{ afterWs: string }>,
): Promise<Claimed> => {
  const { afterWs } = options
  const claimId = deps.newId()
  const maxRunning = deps.limits.workspaceMaxRunning
  try {
    deps.passFault('claim_before_commit')
    const reach = {
      workspaces: options.workspaces ?? [],
      levelRank: levelRank(options.level ?? 'vm'),
    }
    const statements = claimStatements({ ...options, ...reach, claimId, maxRunning })
    // last, so that it finds the jobs that its commit inserts, and keys that its commit frees
    const { onTaken = () => undefined } = options
    const { due, only, claim } = await deps.db.write(statements, { last: true, onTaken })
    deps.passFault('claim_committed')
    const rows = [...(only?.rows ?? []), ...claim.rows]
    const jobs = rows.filter((row) => !isBlocked(row)).map(toClaimedJob)
    for (const { id } of jobs) deps.hints.jobChanged.emit(id)
    const blocked = fairOrder(rows.filter(isBlocked).map(toQueued), afterWs)
    const isCutShort = blocked.length > 0 || due.changes === DUE_BATCH
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

/** Reads what waits for a worker, without claiming: whether a job may be claimed, and when the next is due. */
export const peekJobs = async (
  deps: Pick<Deps, 'db'>,
  { level, ...reach }: WorkerReach,
): Promise<QueueState> =>
  toQueueState(await deps.db.one(peekQueue({ ...reach, levelRank: levelRank(level) })))

/** The same in a commit that is being gathered, behind all that is in it. @param onTaken called when that commit begins */
export const peekBehind = async (
  deps: Pick<Deps, 'db'>,
  { level, ...reach }: WorkerReach,
  onTaken: () => void,
): Promise<QueueState> => {
  const look = peekQueue({ ...reach, levelRank: levelRank(level) })
  const { state } = await deps.db.write({ state: look }, { last: true, retry: true, onTaken })
  return toQueueState(state.rows[0] ?? null)
}
