/** Debounced requests: a job that waits for its start takes the input of a later request [jobs 18.3]. */
import type { DebounceWindow } from '#core/job/flow-control.ts'
import type { Statement } from '../database.ts'
import { allOf, SQL_NOW, sql } from '../sql.ts'
import { type NewJob, tagOf, targetExists } from './insert.ts'

/** The job with a debounce key that waits for its start, the newest if there are several; null if there is none. */
const waitingJob = (key: string): Statement =>
  sql`(SELECT q.id FROM jobs q INDEXED BY jobs_debounced
    WHERE q.debounce_key = ${key} AND q.status = 'queued' AND q.attempt = 0 ORDER BY q.id DESC LIMIT 1)`

export type Push = Readonly<{
  guard: Statement
  /** Makes a statement that runs right after the push, from the id of the job. It changes a row if the push did. */
  onPushed: (id: Statement) => Statement | null
}>

/**
 * Gives the job that waits under the key the input and caller of `job`, and delays its start. Returns its `{id, tag}`. Changes
 * nothing if there is no such job.
 */
export const pushWaitingJob = (
  job: NewJob,
  debounce: DebounceWindow,
  { guard, onPushed }: Push,
): readonly Statement[] => {
  const { ws, control } = job
  const waiting = waitingJob(debounce.key)
  const runAt = sql`MIN(${SQL_NOW} + ${debounce.quietMs}, debounce_until)`
  const pushed = onPushed(waiting)
  return [
    sql`UPDATE jobs SET run_at = MAX(${runAt}, ${SQL_NOW}), blocked = 0, paced = 0,
        ready = CASE WHEN ${runAt} > ${SQL_NOW} THEN 0 ELSE 1 END,
        deployment_id = ${job.deploymentId}, tag = ${tagOf(job)}, max_attempts = ${job.maxAttempts}, crash_limit = ${job.crashLimit},
        min_level = ${job.minLevel}, priority = ${job.priority}, trigger_kind = ${job.triggerKind},
        created_by = ${job.createdBy}, permissioned_as = ${job.permissionedAs}, chain_depth = ${job.chainDepth},
        holds_apps_write = ${job.holdsAppsWrite},
        concurrency_key = ${control.concurrency?.key ?? null}, concurrency_limit = ${control.concurrency?.limit ?? null},
        rate_key = ${control.rate?.key ?? null}, rate_limit = ${control.rate?.limit ?? null},
        rate_ms = ${control.rate?.windowMs ?? null}
      WHERE ws = ${ws} AND id = ${waiting} AND status = 'queued' AND attempt = 0
        AND ${allOf(targetExists(job), guard)}
      RETURNING id, tag`,
    sql`UPDATE job_inputs SET input = ${job.inputJson}, trigger = ${job.triggerJson}
      WHERE job_id = ${waiting} AND changes() = 1`,
    ...(pushed === null ? [] : [pushed]),
  ]
}
