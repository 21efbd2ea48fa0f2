/** Claims queued jobs for a worker. */
import { fairOrder } from '#core/fair-order.ts'
import { type IsolationLevel, levelRank } from '#core/isolation-level.ts'
import type { WorkerReach } from '#core/placement.ts'
import { DatabaseError, type Row } from '#store/database.ts'
import {
  type ClaimRequest,
  claimPlainJobs,
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
    /** What the worker knows of the queue from its last claims. @default nothing */
    memory?: ClaimMemory
  }>

/** Kept by a worker from one claim to the next. */
export type ClaimMemory = {
  plainInARow: number
  /** The last claim came upon jobs that cannot run now, so that others may wait behind them. */
  mayBeMore: boolean
}

/** Knows nothing of the queue. */
export const createClaimMemory = (): ClaimMemory => ({ plainInARow: 0, mayBeMore: false })

/** After so many claims that the short cut has served, the next one is made of it alone. */
const PLAIN_IN_A_ROW = 3

/**
 * Claims up to `limit` jobs in the order in which they should start, round robin by workspace. The workspace of the last
 * job is the `afterWs` of the next claim. It may return fewer jobs although more wait, but returns none only if none wait.
 */
export const claimJobs = async (
  deps: ClaimDeps,
  options: ClaimOptions,
): Promise<readonly ClaimedJob[]> => {
  // a workspace with only blocked jobs has had its turn, so that the next ones need not wait for it
  const { memory = createClaimMemory() } = options
  for (let { afterWs = '' } = options; ; ) {
    const claimed = await claimOnce(deps, { ...options, memory, afterWs })
    memory.mayBeMore = claimed.isCutShort
    if (claimed.jobs.length > 0 || !claimed.isCutShort) return claimed.jobs
    afterWs = claimed.afterWs
  }
}

type Once = ClaimOptions & Readonly<{ afterWs: string; memory: ClaimMemory }>

/** Claims once. If the answer of the write is lost, the claimed jobs are found by the claim's id, not left to their leases. */
const claimOnce = async (deps: ClaimDeps, options: Once): Promise<Claimed> => {
  const { afterWs } = options
  const claimId = deps.newId()
  try {
    deps.passFault('claim_before_commit')
    const { rows, mayBeMore } = await writeClaim(deps, options, claimId)
    deps.passFault('claim_committed')
    const jobs = rows.filter((row) => !isBlocked(row)).map(toClaimedJob)
    for (const { id } of jobs) deps.hints.jobChanged.emit(id)
    const blocked = fairOrder(rows.filter(isBlocked).map(toQueued), afterWs)
    return {
      jobs: fairOrder(jobs, afterWs),
      isCutShort: blocked.length > 0 || mayBeMore,
      afterWs: blocked.at(-1)?.ws ?? afterWs,
    }
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.outcome !== 'unknown') throw error
    const rows = await deps.db.all(findClaimed(claimId))
    return { jobs: fairOrder(rows.map(toClaimedJob), afterWs), isCutShort: false, afterWs }
  }
}

type Written = Readonly<{ rows: readonly Row[]; mayBeMore: boolean }>

const writeClaim = async (
  { db, limits }: ClaimDeps,
  { memory, ...options }: Once,
  claimId: string,
): Promise<Written> => {
  const { onTaken = () => undefined, workspaces = [], level = 'vm' } = options
  const request = {
    ...options,
    workspaces,
    levelRank: levelRank(level),
    claimId,
    maxRunning: limits.workspaceMaxRunning,
  }
  // last, so that it finds the jobs that its commit inserts, and keys that its commit frees
  const order = { last: true, onTaken }
  const mayBePlain = workspaces.length === 0 && memory.plainInARow >= PLAIN_IN_A_ROW
  if (mayBePlain) {
    const { plain, left } = await db.write(claimPlainJobs(request), order)
    const isOver = plain.rows.length > 0 || left.rows[0]?.is_left !== 1
    if (isOver) return { rows: plain.rows, mayBeMore: false }
  }
  const { due, plain, claim } = await db.write(claimStatements(request), order)
  // a delayed job that was due does not make the queue another one
  if ((plain?.rows.length ?? 0) > 0) memory.plainInARow += 1
  else if (claim.rows.length > 0 || mayBePlain) memory.plainInARow = 0
  const rows = [...(plain?.rows ?? []), ...claim.rows]
  return { rows, mayBeMore: due.changes === DUE_BATCH }
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
