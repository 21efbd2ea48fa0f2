/** Claims queued jobs for a worker. */
import { jumpToleranceMs, latestUnlessJumped, type SeenClock, seeClock } from '#core/clock-jump.ts'
import { fairOrder } from '#core/fairness/order.ts'
import { levelRank } from '#core/placement/isolation-level.ts'
import type { WorkerReach } from '#core/placement/placement.ts'
import { asText } from '#store/column.ts'
import { DatabaseError, type Row } from '#store/database.ts'
import {
  type ClaimRequest,
  claimedAt,
  claimPlainJobs,
  claimJobs as claimStatements,
  DUE_BATCH,
  isBlocked,
  isRated,
  renewClaimed,
  toClaimedJob,
  toQueued,
} from '#store/jobs/claim.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { type QueueState, queueState, toNextDueMs, toQueueState } from '#store/jobs/queue-state.ts'
import type { Deps } from '../deps.ts'

export type ClaimDeps = Pick<Deps, 'db' | 'newId' | 'hints' | 'limits' | 'passFault'>

type ClaimedBatch = Readonly<{
  jobs: readonly ClaimedJob[]
  /** Whether the claim found only jobs that cannot run now, so that more may follow them. */
  isCutShort: boolean
  /** The last workspace in turn, even if its jobs were blocked. */
  afterWs: string
}>

export type ClaimOptions = WorkerReach &
  Pick<ClaimRequest, 'worker' | 'limit' | 'leaseMs'> &
  Readonly<{
    /** The workspace that this worker served last, after which it goes on; empty before the first claim. */
    afterWs: string
    /**
     * Called each time a commit of the claim begins. The last call is for the commit that leases the jobs, which does not see
     * what is written after that call.
     */
    onTaken: () => void
    /** What the worker knows about the queue from its last claims. */
    memory: ClaimMemory
  }>

/** State that a worker keeps from one claim to the next. */
export type ClaimMemory = {
  plainInARow: number
  /** Whether the last claim met jobs that cannot run now, so that others may wait after them. */
  mayBeMore: boolean
  /** Milliseconds from the last claim until a delayed job may be due; null if there is none, or if the claim did not read it. */
  nextDueMs: number | null
  /** Ids of claims whose answer was lost, until their jobs have been looked up. */
  unanswered: readonly string[]
  /** The database's clock, by the last claims. A jump must not make jobs late (core/clock-jump.ts). */
  clock: SeenClock | null
  readonly steadyNow: () => number
}

/**
 * Creates a memory that knows nothing about the queue.
 * @param steadyNow milliseconds of a monotonic clock
 */
export const createClaimMemory = (steadyNow = (): number => performance.now()): ClaimMemory => ({
  plainInARow: 0,
  mayBeMore: false,
  nextDueMs: null,
  unanswered: [],
  clock: null,
  steadyNow,
})

/** After this many claims that the fast path served, the next claim first tries the fast path alone. */
const PLAIN_IN_A_ROW = 3

/**
 * Claims up to `limit` jobs in the order in which they should start, round robin by workspace. The workspace of the last job is
 * the `afterWs` of the next claim. It may return fewer jobs although more wait, but returns none only if none wait.
 *
 * If the answer of a claim is lost, its jobs are found by the claim's id, so that they need not wait until their leases end. If
 * the database is away, the next call begins with them.
 */
export const claimJobs = async (
  deps: ClaimDeps,
  options: ClaimOptions,
): Promise<readonly ClaimedJob[]> => {
  // a workspace with only blocked jobs has had its turn, so that the next ones need not wait for it
  const { memory } = options
  memory.nextDueMs = null
  const found = await findUnanswered(deps, options)
  if (found.length > 0) return found
  for (let { afterWs } = options; ; ) {
    const claimed = await claimOnce(deps, { ...options, afterWs })
    memory.mayBeMore = claimed.isCutShort
    if (claimed.jobs.length > 0 || !claimed.isCutShort) return claimed.jobs
    afterWs = claimed.afterWs
  }
}

/** Makes one claim. */
const claimOnce = async (deps: ClaimDeps, options: ClaimOptions): Promise<ClaimedBatch> => {
  const { afterWs } = options
  const claimId = deps.newId()
  try {
    deps.passFault('claim_before_commit')
    const { rows, mayBeMore, nextDueMs } = await writeClaim(deps, options, claimId)
    options.memory.nextDueMs = nextDueMs ?? options.memory.nextDueMs
    deps.passFault('claim_committed')
    const jobs = rows.filter((row) => !isBlocked(row)).map((row) => toClaimedJob(row, claimId))
    for (const { id } of jobs) deps.hints.jobChanged.emit(id)
    const blocked = fairOrder(rows.filter(isBlocked).map(toQueued), afterWs)
    return {
      jobs: fairOrder(jobs, afterWs),
      isCutShort: blocked.length > 0 || mayBeMore,
      afterWs: blocked.at(-1)?.ws ?? afterWs,
    }
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.outcome !== 'unknown') throw error
    options.memory.unanswered = [...options.memory.unanswered, claimId]
    return { jobs: await findUnanswered(deps, options), isCutShort: false, afterWs }
  }
}

/**
 * Finds the jobs of claims whose answer was lost, and renews their leases. It is a write, so that it comes after a claim that
 * still waits at the server for the same lock.
 * @throws {DatabaseError} the claims stay unanswered
 */
const findUnanswered = async (
  { db, hints }: ClaimDeps,
  { memory, leaseMs, afterWs, onTaken }: ClaimOptions,
): Promise<readonly ClaimedJob[]> => {
  const ids = memory.unanswered
  if (ids.length === 0) return []
  const { found } = await db.write({ found: renewClaimed(ids, leaseMs) }, { retry: true, onTaken })
  memory.unanswered = memory.unanswered.filter((id) => !ids.includes(id))
  const jobs = found.rows.map((row) => toClaimedJob(row, asText(row.claim_id)))
  for (const { id } of jobs) hints.jobChanged.emit(id)
  return fairOrder(jobs, afterWs)
}

type Written = Readonly<{ rows: readonly Row[]; mayBeMore: boolean; nextDueMs: number | null }>

const writeClaim = async (
  { db, limits }: ClaimDeps,
  { memory, level, onTaken, ...options }: ClaimOptions,
  claimId: string,
): Promise<Written> => {
  const before = memory.steadyNow()
  const toleranceMs = jumpToleranceMs(options.leaseMs)
  const latestNow =
    memory.clock === null ? null : latestUnlessJumped(memory.clock, before, toleranceMs)
  const request = {
    ...options,
    levelRank: levelRank(level),
    claimId,
    maxRunning: limits.workspaceMaxRunning,
    latestNow,
  }
  const see = (rows: readonly Row[]): void => {
    const databaseNow = rows.map(claimedAt).find((at) => at !== null) ?? null
    if (databaseNow === null) return
    const sample = { databaseNow, before, after: memory.steadyNow() }
    memory.clock = seeClock(memory.clock, sample, toleranceMs)
  }
  // last, so that it finds the jobs that its commit inserts, and keys that its commit frees
  const order = { last: true, onTaken }
  const mayBePlain = options.workspaces.length === 0 && memory.plainInARow >= PLAIN_IN_A_ROW
  if (mayBePlain) {
    const { plain, left } = await db.write(claimPlainJobs(request), order)
    see(plain.rows)
    const isOver = plain.rows.length > 0 || left.rows[0]?.is_left !== 1
    if (isOver) {
      return { rows: plain.rows, mayBeMore: false, nextDueMs: toNextDueMs(left.rows[0]) }
    }
  }
  const { due, plain, claim } = await db.write(claimStatements(request), order)
  // a delayed job that became due does not end the series of plain claims
  if ((plain?.rows.length ?? 0) > 0) memory.plainInARow += 1
  else if (claim.rows.length > 0 || mayBePlain) memory.plainInARow = 0
  const rows = [...(plain?.rows ?? []), ...claim.rows]
  see(rows)
  // a statement that reads the time would be sent with each of these claims, so a read follows where it matters most
  const nextDueMs = rows.some(isRated) ? 0 : null
  return { rows, mayBeMore: due.changes === DUE_BATCH, nextDueMs }
}

/** Reads what waits for a worker, without claiming: whether a job may be claimed, and when the next is due. */
export const readQueue = async (
  deps: Pick<Deps, 'db'>,
  { level, ...reach }: WorkerReach,
): Promise<QueueState> =>
  toQueueState(await deps.db.one(queueState({ ...reach, levelRank: levelRank(level) })))

/**
 * Like `readQueue`, in a commit that is being gathered, after all that is in it. @param onTaken called when that commit begins
 */
export const readQueueBehind = async (
  deps: Pick<Deps, 'db'>,
  { level, ...reach }: WorkerReach,
  onTaken: () => void,
): Promise<QueueState> => {
  const read = queueState({ ...reach, levelRank: levelRank(level) })
  const { state } = await deps.db.write({ state: read }, { last: true, retry: true, onTaken })
  return toQueueState(state.rows[0] ?? null)
}
