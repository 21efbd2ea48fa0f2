/**
 * The claim: gives queued jobs to a worker, round robin by workspace.
 *
 * One statement seeks the next workspaces with ready work under the worker's tags, with one index probe each, and takes their
 * first jobs. So the cost of a claim depends on the jobs it takes, not on how many jobs or workspaces wait or on the jobs of
 * other tags. It uses only the database's clock.
 */
import { asNumber, asText, asTextOrNull } from '../column.ts'
import type { Row, SqlValue, Statement } from '../database.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import {
  AFTER_WS,
  CLAIMED,
  CLAIMED_COLUMNS,
  isReady,
  LEVEL_RANK,
  LIMIT,
  roomOf,
  served,
  TAGS,
  WORKSPACES,
} from './claim-parts.ts'
import { CLAIM_PLAIN } from './claim-plain.ts'
import { type ClaimedJob, toClaimedFlow } from './claimed-job.ts'
import { isRenewable } from './lease.ts'
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
  }>

/** Limit of delayed jobs that one claim makes ready. That many updates take a few milliseconds. */
export const DUE_BATCH = 500

/** The first workspace after `ws` with ready work; null if there is none. */
const nextOfAll = (ws: string): string =>
  `(SELECT min((SELECT n.ws FROM jobs n INDEXED BY jobs_ready
      WHERE ${isReady('n')} AND n.ws > ${ws} ORDER BY n.ws LIMIT 1)) FROM served)`

/** The same, among the workspaces of the request. */
const nextOfNamed = (ws: string): string =>
  `(SELECT min(named.value) FROM json_each(${WORKSPACES}) named WHERE named.value > ${ws}
     AND EXISTS (SELECT 1 FROM served CROSS JOIN jobs n INDEXED BY jobs_ready
       WHERE ${isReady('n')} AND n.ws = named.value))`

/** Whether jobs of `ws` may have the tag of `served` (workspaces.allowed_tags). */
const isAllowed = (ws: string): string =>
  `(SELECT w.allowed_tags IS NULL
      OR EXISTS (SELECT 1 FROM json_each(w.allowed_tags) allowed WHERE allowed.value = served.tag)
    FROM workspaces w WHERE w.id = ${ws})`

/**
 * Whether `ws` has ready work under a tag that it may use. Its tags may have been limited after jobs were queued. CASE limits
 * workspaces without a list to one look-up, and CROSS JOIN keeps the planner from reading the whole queue.
 */
const hasAllowedWork = (ws: string): string =>
  `CASE (SELECT w.allowed_tags IS NULL FROM workspaces w WHERE w.id = ${ws}) WHEN 1 THEN 1
    ELSE EXISTS (SELECT 1 FROM served CROSS JOIN jobs n INDEXED BY jobs_ready
      WHERE ${isAllowed(ws)} AND ${isReady('n')} AND n.ws = ${ws}) END`

/** Whether `ws` has running jobs with concurrency keys. Then some of its ready jobs may turn out to be blocked. */
const hasKeys = (ws: string): string =>
  `EXISTS (SELECT 1 FROM jobs r INDEXED BY jobs_running
    WHERE r.status = 'running' AND r.ws = ${ws} AND r.concurrency_key > '')`

/** Whether serving `ws` surely yields a job. */
const isServed = (ws: string): string =>
  `(${roomOf(ws)} > 0 AND NOT ${hasKeys(ws)} AND ${hasAllowedWork(ws)})`

/**
 * How many jobs of each workspace a claim examines: for a single workspace as many as it takes, for several twice their share,
 * since some have fewer. If keys may be full, it examines some more, so that blocked jobs leave the index soon.
 */
const DEPTH = `(SELECT CASE count(*) WHEN 0 THEN 0 WHEN 1 THEN ${LIMIT} ELSE 2 * ${LIMIT} / count(*) + 1 END
    + CASE WHEN max(has_keys) = 1 THEN 16 / count(*) + 1 ELSE 0 END FROM ring)`

/**
 * The workspaces to serve, in turn: those after the last one served, then from the first on. It passes over workspaces at
 * their limit, and those whose ready jobs all have tags that they may no longer use. It includes workspaces with running keyed
 * jobs, but does not count them, because they may have only blocked jobs. Both the workspaces at their limit and those with
 * keyed jobs are at most as many as running jobs.
 */
const ring = (nextWorkspace: (ws: string) => string): string => `ahead (ws, found) AS (
    SELECT ${nextWorkspace(AFTER_WS)}, 0
    UNION ALL
    SELECT ${nextWorkspace('ahead.ws')}, found + ${isServed('ahead.ws')}
    FROM ahead WHERE ahead.ws IS NOT NULL AND found < ${LIMIT}
  ),
  behind (ws, found) AS (
    SELECT ${nextWorkspace("''")}, most FROM (SELECT max(found) AS most FROM ahead) WHERE most < ${LIMIT}
    UNION ALL
    SELECT ${nextWorkspace('behind.ws')}, found + ${isServed('behind.ws')}
    FROM behind WHERE behind.ws <= ${AFTER_WS} AND found < ${LIMIT}
  ),
  ring (lap, ws, room, has_keys) AS MATERIALIZED (
    SELECT lap, ws, ${roomOf('turn.ws')}, ${hasKeys('turn.ws')}
    FROM (
      SELECT 0 AS lap, ws, found FROM ahead
      UNION ALL SELECT 1, ws, found FROM behind WHERE ws <= ${AFTER_WS}
    ) turn WHERE ws IS NOT NULL AND found < ${LIMIT} AND ${roomOf('turn.ws')} > 0
      AND ${hasAllowedWork('turn.ws')}
  )`

/** The order of jobs in a workspace. */
const IN_ORDER = 'priority DESC, run_at, id'

const OF_CANDIDATE = (
  alias: string,
): string => `${alias}.concurrency_key AS k, ${alias}.concurrency_limit AS most,
    CASE WHEN ${alias}.suspended_kind IS NULL THEN ${alias}.rate_key END AS r,
    ${alias}.rate_limit AS r_most, ${alias}.rate_ms AS r_ms, ${alias}.paced`

/**
 * The first jobs of each workspace. If they belong to an action with a fairKey, the jobs whose turn it is replace them: the
 * same number, with the same priorities.
 */
const HEAD = `head AS MATERIALIZED (
    SELECT ring.lap, ring.room, j.ws, j.id, j.priority, j.run_at, j.tag, j.min_level, j.fair_group, ${OF_CANDIDATE('j')}
    FROM ring CROSS JOIN served CROSS JOIN jobs j ON ${isAllowed('ring.ws')} AND j.ws = ring.ws AND j.id IN (
      SELECT h.id FROM jobs h INDEXED BY jobs_ready WHERE ${isReady('h')} AND h.ws = ring.ws
      ORDER BY h.priority DESC, h.run_at, h.id LIMIT ${DEPTH})
  ),
  fair_place AS MATERIALIZED (
    SELECT lap, room, ws, priority, run_at, tag, min_level, fair_group, row_number() OVER (
      PARTITION BY fair_group, tag, min_level ORDER BY ${IN_ORDER}) AS nth
    FROM head WHERE fair_group IS NOT NULL
  ),
  fair_choice AS MATERIALIZED (
    SELECT f.fair_group, f.tag, f.min_level, j.id, ${OF_CANDIDATE('j')}, row_number() OVER (
      PARTITION BY f.fair_group, f.tag, f.min_level ORDER BY j.priority DESC, j.fair_turn, j.run_at, j.id) AS nth
    FROM (SELECT DISTINCT fair_group, tag, min_level, ws FROM fair_place) f
    CROSS JOIN jobs j ON j.ws = f.ws AND j.id IN (
      SELECT h.id FROM jobs h INDEXED BY jobs_fair
      WHERE h.fair_group = f.fair_group AND h.tag = f.tag AND h.min_level = f.min_level
        AND h.status = 'queued' AND h.ready = 1 AND h.blocked = 0
      ORDER BY h.priority DESC, h.fair_turn, h.run_at, h.id LIMIT (SELECT count(*) FROM fair_place))
  ),
  candidate AS MATERIALIZED (
    SELECT lap, room, ws, id, priority, run_at, tag, min_level, k, most, r, r_most, r_ms, paced
    FROM head WHERE fair_group IS NULL
    UNION ALL
    SELECT p.lap, p.room, p.ws, c.id, p.priority, p.run_at, p.tag, p.min_level, c.k, c.most, c.r, c.r_most, c.r_ms, c.paced
    FROM fair_place p JOIN fair_choice c
      ON c.fair_group = p.fair_group AND c.tag = p.tag AND c.min_level = p.min_level AND c.nth = p.nth
  )`

/** Time of the start `limit` places before the n-th next one; null if there is none or it is beyond now plus the window. */
const startAt = (n: string): string =>
  `(SELECT s.at FROM rate_starts s WHERE s.key = r AND s.seq = last + ${n} - r_most AND s.at <= ${SQL_NOW.sql} + r_ms)`

/** How many jobs with a candidate's key run. A key begins with its workspace. */
const RUNNING_OF_KEY = `(SELECT count(*) FROM jobs b INDEXED BY jobs_running
      WHERE b.status = 'running' AND b.ws = c.ws AND b.concurrency_key = c.k)`

/** The last place of a queued job with the rate's key, in milliseconds since 1970; 0 if there is none. */
const LAST_PLACE = `COALESCE((SELECT max(q.run_at) FROM jobs q INDEXED BY jobs_paced
      WHERE q.rate_key = r AND q.status = 'queued' AND q.paced = 1), 0)`

/**
 * Decides which candidates may run. For a concurrency key, each candidate counts the ones before it as running. For a rate
 * key, the n-th candidate may start once the start `limit` places before it has left the window. Otherwise it gets a new place:
 * the first free one, or the last one if the free one is no longer near its previous place.
 *
 * Each table is read only by the next one, because SQLite copies a table into every place that reads it. With six in a row
 * that were each read twice, preparing the statement took 130 ms, and sqld prepares it for every claim. `takes` is 0 for a job
 * whose key is full, 1 for one that may start, and 2 for one that gets a new place. A job is blocked if its key is full after
 * this claim. Behind jobs that do not start now, it would wait for an end that may never come, so of each tag and level as many
 * jobs remain as may run. When one of them leaves, the trigger `jobs_unblock` restores the next.
 */
const CANDIDATES = `${HEAD},
  keyed AS MATERIALIZED (
    SELECT c.*, CASE WHEN c.k IS NOT NULL AND of_key = 1 THEN ${RUNNING_OF_KEY} END AS first_running
    FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY ${IN_ORDER}) AS of_key FROM candidate) c
  ),
  judged AS MATERIALIZED (
    SELECT *, k IS NULL OR most > running + COALESCE(sum(most > running) OVER (
      PARTITION BY k ORDER BY ${IN_ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS is_open
    FROM (SELECT *, max(first_running) OVER (PARTITION BY k) AS running FROM keyed)
  ),
  counted AS MATERIALIZED (
    SELECT *, CASE WHEN r IS NOT NULL AND is_open
        THEN (SELECT COALESCE(max(s.seq), 0) FROM rate_starts s WHERE s.key = r) END AS last,
      row_number() OVER (PARTITION BY r, is_open ORDER BY ${IN_ORDER}) AS nth
    FROM judged
  ),
  slotted AS MATERIALIZED (
    SELECT *, CASE WHEN last IS NULL THEN 0
      WHEN nth <= r_most THEN COALESCE(${startAt('nth')} + r_ms, 0)
      ELSE MAX(COALESCE(${startAt('1 + (nth - 1) % r_most')} + r_ms, 0), ${SQL_NOW.sql})
        + r_ms * ((nth - 1) / r_most) END AS slot
    FROM counted
  ),
  settled AS MATERIALIZED (
    SELECT *, CASE WHEN NOT is_open THEN 0 WHEN slot <= ${SQL_NOW.sql} THEN 1 ELSE 2 END AS takes FROM slotted
  ),
  seated AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY takes, ws ORDER BY ${IN_ORDER}) AS seat FROM settled
  ),
  taken AS MATERIALIZED (
    SELECT *, takes = 1 AND seat <= room AND turn <= ${LIMIT} AS starts
    FROM (SELECT *, row_number() OVER (PARTITION BY takes, seat <= room ORDER BY seat, lap, ws) AS turn FROM seated)
  ),
  decided (at_ws, at_id, takes, at_run) AS MATERIALIZED (
    SELECT ws, id, takes, CASE WHEN takes <> 2 THEN 0
      WHEN paced = 1 AND slot <= run_at + r_ms THEN slot
      ELSE MAX(slot, ${LAST_PLACE} + r_ms * nth / r_most) END
    FROM (SELECT *, sum(starts) OVER (PARTITION BY k) AS key_starts,
      row_number() OVER (PARTITION BY k, tag, min_level, takes ORDER BY ${IN_ORDER}) AS behind FROM taken)
    WHERE CASE takes WHEN 0 THEN running + key_starts >= most OR behind > most WHEN 1 THEN starts ELSE 1 END
  )`

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
    with: sql`RECURSIVE ${served(raw(TAGS), raw(LEVEL_RANK), condition)}, ${raw(ring(nextWorkspace))}, ${raw(CANDIDATES)}`,
    from: raw('decided'),
    // without the first term the planner would read every job
    where: raw('(ws, id) IN (SELECT at_ws, at_id FROM decided) AND ws = at_ws AND id = at_id'),
    returning: raw(CLAIMED_COLUMNS),
  }).sql

/** Runs after the short cut, and only if that claimed nothing. */
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
]

// while no job is due, it costs an index probe and writes nothing
const DUE = sql`UPDATE jobs SET ready = 1, blocked = 0
  WHERE status = 'queued' AND ready = 0 AND (ws, id) IN (
    SELECT ws, id FROM jobs INDEXED BY jobs_delayed
    WHERE status = 'queued' AND ready = 0 AND run_at <= ${SQL_NOW} ORDER BY run_at LIMIT ${DUE_BATCH})`

/**
 * After the short cut: whether it took nothing although jobs may be claimed or are due. CASE keeps SQLite from looking if it
 * took some.
 */
const isLeft = (reach: QueueReach): Statement =>
  sql`SELECT CASE changes() WHEN 0 THEN ${hasReady(reach)}
    OR EXISTS (SELECT 1 FROM jobs d INDEXED BY jobs_delayed
      WHERE d.status = 'queued' AND d.ready = 0 AND d.run_at <= ${SQL_NOW})
    ELSE 0 END AS is_left, ${NEXT_DUE}`

/**
 * Up to three statements: delayed jobs that are due become ready, then up to `limit` jobs are claimed, those of a plain queue
 * by the short cut. Within a workspace, the highest priority goes first, then the longest due. Jobs whose key was full are
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
 * The same for a queue that has been plain, with only the short cut: the other statements take a good part of its time even if
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
      AND ${isRenewable}
    RETURNING ${raw(CLAIMED_COLUMNS)}, claim_id`

/** Returns whether a returned row was not claimed, because its concurrency key is full or its rate delays it. */
export const isBlocked = (row: Row): boolean => row.status === 'queued'

/** Returns whether the action of a returned row has a rate, so that others of it may be due in a moment. */
export const isRated = (row: Row): boolean => row.is_rated === 1

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
  maxAttempts: asNumber(row.max_attempts),
  failureCount: asNumber(row.failure_count),
  triggerKind: asText(row.trigger_kind),
  triggerJson: asTextOrNull(row.trigger),
  inputJson: asTextOrNull(row.input) ?? 'null',
  variablesJson: asText(row.variables),
  resourcesJson: asText(row.resources),
  wrappedKey: asText(row.wrapped_key),
  calledBy: asTextOrNull(row.called_by),
  traceparent: asTextOrNull(row.traceparent),
  flow: toClaimedFlow(row),
})
