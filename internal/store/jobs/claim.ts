/**
 * The claim: gives queued jobs to a worker, round robin by workspace.
 *
 * One statement seeks the next workspaces with ready work under the worker's tags, with one index probe each, and takes their
 * first jobs. So the cost of a claim depends on the jobs it takes, not on how many jobs or workspaces wait or on the jobs of
 * other tags. It uses only the database's clock.
 */
import { readTriggerKind } from '#core/job/trigger-kind.ts'
import { asNumber, asText, asTextOrNull } from '../column.ts'
import type { Row, SqlValue, Statement } from '../database.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { CANDIDATES, nextOfAll, nextOfNamed, workspacesInTurn } from './claim-candidates.ts'
import { CLAIMED, CLAIMED_COLUMNS, LEVEL_RANK, served, TAGS } from './claim-parts.ts'
import { CLAIM_PLAIN } from './claim-plain.ts'
import { type ClaimedJob, toClaimedFlow } from './claimed-job.ts'
import { keepsClaim } from './lease.ts'
import { hasReady, NEXT_DUE, type QueueReach } from './queue-state.ts'
import { transitionByCase } from './transition.ts'

export type ClaimRequest = QueueReach &
  Readonly<{
    /** Made by the caller. It finds the claimed jobs again if the answer was lost. */
    claimId: string
    worker: string
    limit: number
    leaseMs: number
    /** The workspace that was served last. Those after it are served next. Empty to begin with the first. */
    afterWs: string
    /** Limit of running jobs of a workspace without its own limit; 0 for no limit. */
    maxRunning: number
    /** The latest time that the clock shows unless it has jumped forward; null if it is not known. */
    latestNow: number | null
  }>

/** Limit of delayed jobs that one claim makes ready. That many updates take a few milliseconds. */
export const DUE_BATCH = 500

const claim = transitionByCase('queued', [
  { when: raw('takes = 1'), event: 'claim', set: CLAIMED },
  {
    when: raw('takes = 2'),
    event: null,
    set: { run_at: raw('at_run'), ready: raw('0'), paced: raw('1') },
  },
  { when: TRUE, event: null, set: { blocked: raw('1') } },
])

/** The claim itself. Its parameters are numbered, since each is used several times. */
const claimText = (nextWorkspace: (ws: string) => string, condition: Statement): string =>
  claim({
    with: sql`RECURSIVE ${served(raw(TAGS), raw(LEVEL_RANK), condition)}, ${raw(workspacesInTurn(nextWorkspace))}, ${raw(CANDIDATES)}`,
    from: raw('decided'),
    // without the first term the planner would read every job
    where: raw('(ws, id) IN (SELECT at_ws, at_id FROM decided) AND ws = at_ws AND id = at_id'),
    returning: raw(CLAIMED_COLUMNS),
  }).sql

/** Runs after the fast path, and only if that claimed nothing. */
const CLAIM_OF_ALL = claimText(nextOfAll, raw('changes() = 0'))
const CLAIM_OF_NAMED = claimText(nextOfNamed, TRUE)

const argsOf = (request: ClaimRequest): readonly SqlValue[] => [
  request.afterWs,
  request.limit,
  request.maxRunning,
  request.claimId,
  request.worker,
  request.leaseMs,
  JSON.stringify(request.tags),
  request.levelRank,
  request.latestNow,
]

// while no job is due, it costs an index probe and writes nothing
const DUE = sql`UPDATE jobs SET ready = 1, blocked = 0
  WHERE status = 'queued' AND ready = 0 AND (ws, id) IN (
    SELECT ws, id FROM jobs INDEXED BY jobs_delayed
    WHERE status = 'queued' AND ready = 0 AND run_at <= ${SQL_NOW} ORDER BY run_at LIMIT ${DUE_BATCH})`

/**
 * After the fast path: whether it took nothing although jobs may be claimed or are due. CASE keeps SQLite from looking if it
 * took some.
 */
const isLeft = (reach: QueueReach): Statement =>
  sql`SELECT CASE changes() WHEN 0 THEN ${hasReady(reach)}
    OR EXISTS (SELECT 1 FROM jobs d INDEXED BY jobs_delayed
      WHERE d.status = 'queued' AND d.ready = 0 AND d.run_at <= ${SQL_NOW})
    ELSE 0 END AS is_left, ${NEXT_DUE}`

/**
 * Up to three statements: delayed jobs that are due become ready, then up to `limit` jobs are claimed, those of a plain queue
 * by the fast path. Within a workspace, the highest priority goes first, then the longest due. Jobs whose key was full are
 * also returned, still queued: they are blocked until a job of their key ends, or delayed until their rate allows them.
 */
export const claimJobs = (
  request: ClaimRequest,
): Readonly<{ due: Statement; plain: Statement | null; claim: Statement }> => ({
  due: DUE,
  plain: request.workspaces.length === 0 ? { sql: CLAIM_PLAIN, args: argsOf(request) } : null,
  claim:
    request.workspaces.length === 0
      ? { sql: CLAIM_OF_ALL, args: argsOf(request) }
      : { sql: CLAIM_OF_NAMED, args: [...argsOf(request), JSON.stringify(request.workspaces)] },
})

/**
 * The same for a queue that has been plain, with only the fast path: the other statements take a good part of its time even if
 * they have nothing to do. If it takes nothing and `is_left` is 1, `claimJobs` must follow.
 */
export const claimPlainJobs = (
  request: ClaimRequest,
): Readonly<{ plain: Statement; left: Statement }> => ({
  plain: { sql: CLAIM_PLAIN, args: argsOf(request) },
  left: isLeft(request),
})

/** Finds the jobs of claims whose answer was lost, and renews their leases. Returns `{claim_id}` with each. */
export const renewClaimed = (claimIds: readonly string[], leaseMs: number): Statement =>
  sql`UPDATE jobs SET lease_until = ${SQL_NOW} + ${leaseMs}
    WHERE status = 'running' AND claim_id IN (SELECT value FROM json_each(${JSON.stringify(claimIds)}))
      AND ${keepsClaim()}
    RETURNING ${raw(CLAIMED_COLUMNS)}, claim_id`

/** Returns whether a returned row was not claimed, because its concurrency key is full or its rate delays it. */
export const isBlocked = (row: Row): boolean => row.status === 'queued'

/** Returns whether the action of a returned row has a rate, so that others of it may be due in a moment. */
export const isRated = (row: Row): boolean => row.is_rated === 1

/** Returns the time of the claim by the database's clock; null if the row was not claimed. */
export const claimedAt = (row: Row): number | null =>
  isBlocked(row) ? null : asNumber(row.started_at)

/** Reads what returned rows are ordered by. */
export const toQueued = (row: Row): Pick<ClaimedJob, 'id' | 'ws' | 'priority' | 'runAt'> => ({
  id: asText(row.id),
  ws: asText(row.ws),
  priority: asNumber(row.priority),
  runAt: asNumber(row.run_at),
})

/** Reads the row of a claimed job. */
export const toClaimedJob = (row: Row, claimId: string): ClaimedJob => ({
  ...toQueued(row),
  app: asText(row.app),
  action: asText(row.action),
  deploymentId: asText(row.deployment_id),
  attempt: asNumber(row.attempt),
  claimId,
  isCanceled: row.is_canceled === 1,
  maxAttempts: asNumber(row.max_attempts),
  failureCount: asNumber(row.failure_count),
  triggerKind: readTriggerKind(asText(row.trigger_kind)),
  triggerJson: asTextOrNull(row.trigger),
  inputJson: asTextOrNull(row.input) ?? 'null',
  variablesJson: asText(row.variables),
  resourcesJson: asText(row.resources),
  wrappedKey: asText(row.wrapped_key),
  calledBy: asTextOrNull(row.called_by),
  traceparent: asTextOrNull(row.traceparent),
  flow: toClaimedFlow(row),
})
