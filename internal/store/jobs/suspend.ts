/** Suspends a job: its attempt ends, and it is queued until the first of its waits ends [durable 3.1]. */
import type { Statement } from '../database.ts'
import { listed, raw, SQL_NOW, sql } from '../sql.ts'
import { type Claim, isAttempt } from './lease.ts'
import { BEGAN_AT } from './steps.ts'
import { transition } from './transition.ts'

/**
 * Suspends a job. If one of the steps has ended meanwhile, the job is ready at once, so that no wake-up is lost. Returns
 * `{tag, ready}` and `{due_in_ms}`. Does not change a job whose cancel was requested.
 * @param steps names of the steps that it waits for, in order; people see the first
 */
export const suspendJob = (claim: Claim, steps: readonly string[]): Statement => {
  const waits = listed(steps)
  const isOver = sql`EXISTS (SELECT 1 FROM job_steps s WHERE s.job_id = ${claim.id} AND s.name IN ${waits}
    AND (s.status <> 'running' OR s.due_at <= ${SQL_NOW}))`
  const first = (column: string, condition = raw('1')): Statement =>
    sql`(SELECT ${raw(column)} FROM job_steps s WHERE s.job_id = ${claim.id} AND s.name = ${steps[0] ?? ''} AND ${condition})`
  return transition('suspend', {
    set: {
      ready: sql`CASE WHEN ${isOver} THEN 1 ELSE 0 END`,
      blocked: raw('0'),
      // it continues without a start, so it has no place in its rate
      paced: raw('0'),
      run_at: sql`CASE WHEN ${isOver} THEN ${SQL_NOW} ELSE COALESCE((SELECT min(s.due_at) FROM job_steps s
        WHERE s.job_id = ${claim.id} AND s.name IN ${waits}), ${SQL_NOW}) END`,
      began_at: BEGAN_AT,
      ran_ms: sql`ran_ms + MAX(${SQL_NOW} - started_at, 0)`,
      suspended_kind: sql`COALESCE(${first("CASE s.kind WHEN 'step' THEN 'sleep' ELSE s.kind END")}, 'sleep')`,
      suspended_name: sql`${steps[0] ?? ''}`,
      suspended_until: first('s.due_at', raw("s.kind <> 'job'")),
    },
    where: sql`${isAttempt(claim)} AND jobs.cancel_by IS NULL`,
    returning: sql`tag, ready, run_at - ${SQL_NOW} AS due_in_ms`,
  })
}
