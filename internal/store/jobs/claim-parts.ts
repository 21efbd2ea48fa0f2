/** The common parts of the claim and its fast path (claim-plain.ts). */
import { STRETCH } from '#core/job/attempt.ts'
import { START_TIMEOUT } from '#core/job/start-timeout.ts'
import { passesTrigger, TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import type { Statement } from '../database.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { isLateAt } from './late.ts'

const OF_RUNNING = "jobs.status = 'running'"
const WITH_TRIGGER = TRIGGER_KINDS.filter(passesTrigger)
  .map((kind) => `'${kind}'`)
  .join(', ')

export const CLAIMED_COLUMNS = `id, ws, app, action, deployment_id, status, attempt, max_attempts, failure_count, trigger_kind,
  priority, run_at, started_at, cancel_by IS NOT NULL AS is_canceled, called_by, flow_run_id, flow_index, flow_slot, flow_attempt, rate_key IS NOT NULL AS is_rated,
  (SELECT input FROM job_inputs i WHERE i.job_id = jobs.id AND ${OF_RUNNING}) AS input,
  CASE WHEN trigger_kind IN (${WITH_TRIGGER})
    THEN (SELECT trigger FROM job_inputs i WHERE i.job_id = jobs.id AND ${OF_RUNNING}) END AS trigger,
  CASE WHEN flow_run_id IS NULL THEN NULL
    ELSE (SELECT flow FROM job_inputs i WHERE i.job_id = jobs.id AND ${OF_RUNNING}) END AS flow,
  (SELECT json_group_array(json_array(key, value)) FROM variables v
    WHERE v.ws = jobs.ws AND ${OF_RUNNING}) AS variables,
  (SELECT json_group_array(json_array(key, value)) FROM resources r
    WHERE r.ws = jobs.ws AND ${OF_RUNNING}) AS resources,
  (SELECT wrapped_key FROM workspaces w WHERE w.id = jobs.ws) AS wrapped_key,
  (SELECT traceparent FROM traces t WHERE t.owner_id = coalesce(jobs.flow_run_id, jobs.id)) AS traceparent`

/** Parameters of the claim, in this order. Tags and workspaces are JSON arrays. Without workspaces, the last one is absent. */
export const AFTER_WS = '?1'
export const LIMIT = '?2'
const MAX_RUNNING = '?3'
const CLAIM_ID = '?4'
const WORKER = '?5'
const LEASE_MS = '?6'
export const TAGS = '?7'
export const LEVEL_RANK = '?8'
const LATEST_NOW = '?9'
export const WORKSPACES = '?10'

/** What a worker serves, if `condition` is true: each of its tags at each level that it reaches. */
export const served = (tags: Statement, levelRank: Statement, condition: Statement): Statement =>
  sql`served (tag, level) AS MATERIALIZED (
    SELECT t.value, l.value FROM json_each(${tags}) t, json_each('[0,1,2,3]') l
    WHERE l.value <= ${levelRank} AND ${condition})`

/**
 * A condition: a job may be claimed under a tag and level. An index must be able to seek by each term before the workspace,
 * so that workspaces without a matching job are not visited at all.
 */
export const isReadyIn = (
  alias: string,
  { tag, level }: Readonly<{ tag: string; level: string }>,
): string =>
  `${alias}.status = 'queued' AND ${alias}.ready = 1 AND ${alias}.blocked = 0
    AND ${alias}.tag = ${tag} AND ${alias}.min_level = ${level}`

/** The same condition, for the tags and levels of `served`. */
export const isReady = (alias: string): string =>
  isReadyIn(alias, { tag: 'served.tag', level: 'served.level' })

/** How many more jobs of `ws` may run. Values beyond the claim's limit do not matter. A held workspace has no room. */
export const roomOf = (ws: string): string =>
  `(SELECT CASE COALESCE(w.max_running, ${MAX_RUNNING}) WHEN 0 THEN ${LIMIT}
      ELSE COALESCE(w.max_running, ${MAX_RUNNING}) - (SELECT count(*) FROM jobs r INDEXED BY jobs_running
        WHERE r.status = 'running' AND r.ws = w.id) END * (${isNotHeld('w.id').sql})
    FROM workspaces w WHERE w.id = ${ws})`

/**
 * A condition: the job is claimed too late to start. Just after a jump of the clock forward, jobs only seem late until a scheduler
 * has corrected it.
 */
export const IS_CLAIMED_LATE = isLateAt(
  sql`min(${SQL_NOW}, COALESCE(${raw(LATEST_NOW)}, ${SQL_NOW}))`,
)

/** The text without a parameter, because those of the claim have numbers. */
const ifLate = (text: string): Statement =>
  sql`CASE WHEN ${IS_CLAIMED_LATE} THEN ${raw(`'${text}'`)} END`

export const CLAIMED = {
  blocked: raw('0'),
  // a job that continues keeps its attempt, but every claim has its own fencing token (core/job/attempt.ts)
  attempt: raw(`attempt + CASE WHEN suspended_kind IS NULL THEN 1 ELSE ${STRETCH} END`),
  // a new attempt counts its running time from 0
  ran_ms: raw('CASE WHEN suspended_kind IS NULL THEN 0 ELSE ran_ms END'),
  suspended_kind: raw('NULL'),
  // the worker ends a late job without running it
  cancel_by: ifLate(START_TIMEOUT.by),
  cancel_reason: ifLate(START_TIMEOUT.reason),
  claim_id: raw(CLAIM_ID),
  worker: raw(WORKER),
  started_at: SQL_NOW,
  lease_ms: raw(LEASE_MS),
  lease_until: sql`${SQL_NOW} + ${raw(LEASE_MS)}`,
}
