/** Wakes suspended jobs. Each wake-up is in the batch of its cause, and changes only suspended jobs. */
import type { Statement } from '../database.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'

export type StepAddress = Readonly<{ jobId: string; name: string }>

/**
 * Ends a waiting step with a result.
 * @param result encrypted
 * @param guard a condition on which it ends
 */
export const endWaitingStep = (
  { jobId, name }: StepAddress,
  result: string | null,
  guard: Statement,
): Statement =>
  sql`UPDATE job_steps SET status = 'success', result = ${result}, completed_at = ${SQL_NOW}
    WHERE job_id = ${jobId} AND name = ${name} AND status = 'running' AND kind <> 'step' AND ${guard}`

/**
 * Makes a suspended job ready at once. Returns `{tag}`. It does not change a running job, which checks its steps before it is
 * suspended.
 * @param guard a condition, for example that its step has ended
 */
export const wakeJob = (
  { ws, id }: Readonly<{ ws: string; id: string }>,
  guard: Statement,
): Statement =>
  sql`UPDATE jobs SET ready = 1, blocked = 0, run_at = ${SQL_NOW}
    WHERE ws = ${ws} AND id = ${id} AND status = 'queued' AND ready = 0 AND suspended_kind IS NOT NULL AND ${guard}
    RETURNING ${raw('tag')}`
