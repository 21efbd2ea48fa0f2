/** Wakes suspended jobs: each wake-up is part of the batch of what causes it, and changes no job that is not suspended. */
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
 * Makes a suspended job ready at once; `{tag}` comes back. A job that runs is left alone: its suspension looks at its steps
 * first.
 * @param guard a condition, for example that its step has ended
 */
export const wakeJob = (
  { ws, id }: Readonly<{ ws: string; id: string }>,
  guard: Statement,
): Statement =>
  sql`UPDATE jobs SET ready = 1, blocked = 0, run_at = ${SQL_NOW}
    WHERE ws = ${ws} AND id = ${id} AND status = 'queued' AND ready = 0 AND suspended_kind IS NOT NULL AND ${guard}
    RETURNING ${raw('tag')}`
