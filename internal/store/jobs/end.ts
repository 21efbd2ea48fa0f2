/** Ends an attempt of a job: with the job, with a retry, or by handing the job back. */
import type { TerminalStatus } from '#core/job/transitions.ts'
import { SQL_NOW, type Statement, sql } from '../database.ts'
import type { Held } from './lease.ts'
import { insertLedgerRow, LEDGER_COLUMNS, LEDGER_VALUES } from './ledger.ts'

export type Completion = Readonly<{
  held: Held
  status: TerminalStatus
  resultJson: string
}>

/**
 * Ends running jobs and writes their billing rows, in two statements however many they are; the first gives back
 * `{ws, id, status}` of each that it ended. A job that another attempt holds or that has ended stays as it is. A job that
 * somebody asked to cancel ends canceled, whatever its script did meanwhile.
 */
export const completeJobs = (
  completions: readonly Completion[],
  /** `onlyMarked`: those that somebody asked to cancel, and no others. */
  { onlyMarked = false }: Readonly<{ onlyMarked?: boolean }> = {},
): readonly Statement[] => {
  const ends = completions.map(({ held: { ws, id, attempt }, status, resultJson }) => [
    ws,
    id,
    attempt,
    status,
    resultJson,
  ])
  return [
    sql(
      `WITH ends (ws, id, attempt, status, result) AS (
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)
       )
       UPDATE jobs SET
         status = CASE WHEN cancel_by IS NULL THEN ends.status ELSE 'canceled' END,
         result = CASE WHEN cancel_by IS NULL THEN ends.result
           ELSE json_object('name', 'Canceled', 'message', cancel_reason) END,
         completed_at = ${SQL_NOW}, lease_until = NULL
       FROM ends
       WHERE jobs.ws = ends.ws AND jobs.id = ends.id AND jobs.attempt = ends.attempt
         AND jobs.status = 'running' AND (jobs.cancel_by IS NOT NULL OR NOT ?)
       RETURNING jobs.ws, jobs.id, jobs.status`,
      JSON.stringify(ends),
      onlyMarked ? 1 : 0,
    ),
    // one that had ended before has its row already
    sql(
      `INSERT INTO ledger (${LEDGER_COLUMNS})
       SELECT ${LEDGER_VALUES} FROM json_each(?) AS each
       JOIN jobs ON jobs.ws = each.value ->> 0 AND jobs.id = each.value ->> 1
       WHERE jobs.completed_at IS NOT NULL
       ON CONFLICT (job_id) DO NOTHING`,
      JSON.stringify(completions.map(({ held }) => [held.ws, held.id])),
    ),
  ]
}

export type FlowJobEnd = Readonly<{
  held: Held
  status: TerminalStatus
  result: string
}>

/** With its billing row. */
export const endFlowJob = (
  { held, status, result }: FlowJobEnd,
  guard: Statement,
): readonly Statement[] => [
  sql(
    `UPDATE jobs SET status = ?, result = ?, completed_at = ${SQL_NOW}, lease_until = NULL
     WHERE ws = ? AND id = ? AND attempt = ? AND status = 'running' AND ${guard.sql}`,
    status,
    result,
    held.ws,
    held.id,
    held.attempt,
    ...guard.args,
  ),
  insertLedgerRow(held),
]

/** The script failed and may try again after `delayMs` (the action's `retry`). */
export const retryJob = (held: Held, delayMs: number): Statement =>
  sql(
    `UPDATE jobs SET status = 'queued', failure_count = failure_count + 1, lease_until = NULL,
       claim_id = NULL, worker = NULL, started_at = NULL, run_at = ${SQL_NOW} + ?, ready = CASE WHEN ? > 0 THEN 0 ELSE 1 END
     WHERE ws = ? AND id = ? AND attempt = ? AND status = 'running' AND cancel_by IS NULL
     RETURNING tag`,
    delayMs,
    delayMs,
    held.ws,
    held.id,
    held.attempt,
  )

/** Back to the queue, no crash counted. `started` false gives the attempt back too: the job never ran. */
export const handBackJob = (held: Held, started: boolean): Statement =>
  sql(
    `UPDATE jobs SET status = 'queued', ready = 1, lease_until = NULL, claim_id = NULL, worker = NULL,
       started_at = NULL, attempt = attempt - ?
     WHERE ws = ? AND id = ? AND attempt = ? AND status = 'running' AND cancel_by IS NULL`,
    started ? 0 : 1,
    held.ws,
    held.id,
    held.attempt,
  )
