/** Debounced requests: a job that waits for its start takes the input of a later request [jobs 18.3]. */
import type { DebounceWindow } from '#core/job/flow-control.ts'
import type { Statement } from '../database.ts'
import { allOf, SQL_NOW, sql, TRUE } from '../sql.ts'
import { nextTurn, requestTime, startBy } from './flow-columns.ts'
import { type NewJob, tagOf, targetExists } from './insert.ts'
import { replaceLabels } from './labels.ts'

/** The job with a debounce key that waits for its start, the newest if there are several; null if there is none. */
const waitingJob = (key: string): Statement =>
  sql`(SELECT q.id FROM jobs q INDEXED BY jobs_debounced
    WHERE q.debounce_key = ${key} AND q.status = 'queued' AND q.attempt = 0 ORDER BY q.id DESC LIMIT 1)`

/**
 * A condition on the job that waits under the key: it has the input of a newer request. A time in the future is from before the
 * clock was set back, so which of the two is newer is unknown.
 */
const isNewer = (requestedAt: number): Statement =>
  sql`(debounced_at > ${requestedAt} AND debounced_at <= ${SQL_NOW})`

/**
 * For a request that waited for room in the queue: a newer request has already given its input to the job that waits under the
 * key [jobs 18.5]. `found` reads the `{id, tag}` of that job. Null for a request that comes now.
 */
export const findNewerRequest = (
  { ws, requestedAt }: Pick<NewJob, 'ws' | 'requestedAt'>,
  { key }: DebounceWindow,
): Readonly<{ found: Statement; isAbsent: Statement }> | null => {
  if (requestedAt === null) return null
  const newer = sql`FROM jobs WHERE ws = ${ws} AND id = ${waitingJob(key)} AND ${isNewer(requestedAt)}`
  return { found: sql`SELECT id, tag ${newer}`, isAbsent: sql`NOT EXISTS (SELECT 1 ${newer})` }
}

export type Push = Readonly<{
  guard: Statement
  /** Makes a statement that runs right after the push, from the id of the job. It changes a row if the push did. */
  onPushed: (id: Statement) => Statement | null
}>

/**
 * Gives the job that waits under the key the input and caller of `job`, and delays its start. Returns its `{id, tag}`. Changes
 * nothing if there is no such job. A job that has waited since its latest time keeps its place in the queue, and one that has a
 * later place in its rate keeps that. Otherwise requests that never cease would keep it behind all others.
 */
export const pushWaitingJob = (
  job: NewJob,
  debounce: DebounceWindow,
  { guard, onPushed }: Push,
): readonly Statement[] => {
  const {
    requestedAt,
    control: { concurrency, rate },
  } = job
  const waiting = waitingJob(debounce.key)
  const where = sql`ws = ${job.ws} AND id = ${waiting} AND status = 'queued' AND attempt = 0
    AND ${allOf(targetExists(job), guard)}
    AND ${requestedAt === null ? TRUE : sql`${isNewer(requestedAt)} IS NOT TRUE`}`
  const wanted = sql`MIN(${SQL_NOW} + ${debounce.quietMs}, debounce_until)`
  const keepsPlace = sql`(paced = 1 AND rate_key IS ${rate?.key ?? null} AND run_at >= ${wanted})`
  const runAt = sql`CASE WHEN ${keepsPlace} THEN run_at ELSE ${wanted} END`
  const pushed = onPushed(waiting)
  const isWaiting = sql`EXISTS (SELECT 1 FROM jobs WHERE ${where})`
  return [
    ...replaceLabels({ ws: job.ws, id: waiting, labels: job.labels }, isWaiting),
    // its concurrency key may change, so the trigger `jobs_unblock` restores the next job of the old one
    sql`UPDATE jobs SET ready = 0 WHERE ready = 1 AND blocked = 0 AND concurrency_key IS NOT NULL AND ${where}`,
    sql`UPDATE jobs SET run_at = ${runAt}, ready = CASE WHEN ${runAt} > ${SQL_NOW} THEN 0 ELSE 1 END,
        paced = ${keepsPlace}, blocked = 0, debounced_at = ${requestTime(requestedAt)}, start_by = ${startBy(job)},
        deployment_id = ${job.deploymentId}, tag = ${tagOf(job)}, max_attempts = ${job.maxAttempts}, crash_limit = ${job.crashLimit},
        min_level = ${job.minLevel}, priority = ${job.priority}, trigger_kind = ${job.triggerKind},
        created_by = ${job.createdBy}, permissioned_as = ${job.permissionedAs}, chain_depth = ${job.chainDepth},
        holds_apps_write = ${job.holdsAppsWrite},
        concurrency_key = ${concurrency?.key ?? null}, concurrency_limit = ${concurrency?.limit ?? null},
        rate_key = ${rate?.key ?? null}, rate_limit = ${rate?.limit ?? null}, rate_ms = ${rate?.windowMs ?? null},
        ${turnOf(job)}
      WHERE ${where}
      RETURNING id, tag`,
    sql`UPDATE job_inputs SET input = ${job.inputJson}, trigger = ${job.triggerJson}
      WHERE job_id = ${waiting} AND changes() = 1`,
    ...(pushed === null ? [] : [pushed]),
  ]
}

/** Assigns the turn of the new input. A job whose key stays keeps its turn. */
const turnOf = ({ control: { fair } }: NewJob): Statement => {
  if (fair === null) return sql`fair_group = NULL, fair_key = NULL, fair_turn = NULL`
  const { group, key } = fair
  return sql`fair_group = ${group}, fair_key = ${key}, fair_turn = CASE
    WHEN fair_group IS ${group} AND fair_key IS ${key} THEN fair_turn ELSE ${nextTurn(fair)} END`
}
