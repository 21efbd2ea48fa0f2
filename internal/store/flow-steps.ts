/** Steps of flow runs, their waiting items, and their children among the jobs. Every statement belongs to a transition. */
import type { StepStatus } from '#core/flow/run.ts'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, SQL_NOW, type SqlValue, type Statement, sql } from './database.ts'

export type FlowStepRow = Readonly<{
  index: number
  key: string
  status: string
  result: string | null
  error: string | null
  startedAt: number
  completedAt: number | null
}>

export const listFlowSteps = async (
  db: Database,
  runId: string,
): Promise<readonly FlowStepRow[]> => {
  const rows = await db.all(
    sql('SELECT * FROM flow_steps WHERE run_id = ? ORDER BY step_index', runId),
  )
  return rows.map((row) => ({
    index: asNumber(row.step_index),
    key: asText(row.key),
    status: asText(row.status),
    result: asTextOrNull(row.result),
    error: asTextOrNull(row.error),
    startedAt: asNumber(row.started_at),
    completedAt: asNumberOrNull(row.completed_at),
  }))
}

export type StepResult = Readonly<{ key: string; index: number; result: string | null }>

/** Of the named steps those that ended well or were skipped. */
export const listStepResults = async (
  db: Database,
  runId: string,
  keys: readonly string[],
): Promise<readonly StepResult[]> => {
  if (keys.length === 0) return []
  const rows = await db.all(
    sql(
      `SELECT key, step_index, result FROM flow_steps
       WHERE run_id = ? AND status IN ('success', 'skipped') AND key IN (SELECT value FROM json_each(?))`,
      runId,
      JSON.stringify(keys),
    ),
  )
  return rows.map((row) => ({
    key: asText(row.key),
    index: asNumber(row.step_index),
    result: asTextOrNull(row.result),
  }))
}

export type OpenedStep = Readonly<{
  runId: string
  index: number
  key: string
  status: 'running' | 'waiting_approval'
  /** Of a loop: what the inputs of its items have in common, encrypted. */
  frame?: string
}>

export const insertFlowStep = (step: OpenedStep, guard: Statement): Statement =>
  sql(
    `INSERT INTO flow_steps (run_id, step_index, key, status, frame, started_at)
     SELECT ?, ?, ?, ?, ?, ${SQL_NOW} WHERE ${guard.sql} ON CONFLICT DO NOTHING`,
    step.runId,
    step.index,
    step.key,
    step.status,
    step.frame ?? null,
    ...guard.args,
  )

export type EndedStep = Readonly<{
  runId: string
  index: number
  key: string
  status: Exclude<StepStatus, 'pending' | 'running' | 'waiting_approval'>
  result: string | null
  error: string | null
}>

/** Also of a step that never began: skipped, or failed by its own data. */
export const endFlowStep = (step: EndedStep, guard: Statement): Statement =>
  sql(
    `INSERT INTO flow_steps (run_id, step_index, key, status, result, error, started_at, completed_at)
     SELECT ?, ?, ?, ?, ?, ?, ${SQL_NOW}, ${SQL_NOW} WHERE ${guard.sql}
     ON CONFLICT (run_id, step_index) DO UPDATE SET status = excluded.status, result = excluded.result,
       error = excluded.error, frame = NULL, completed_at = excluded.completed_at
     WHERE flow_steps.completed_at IS NULL`,
    step.runId,
    step.index,
    step.key,
    step.status,
    step.result,
    step.error,
    ...guard.args,
  )

export type WaitingSlots = Readonly<{
  runId: string
  index: number
  /** `[[slot, text], …]` */
  slots: readonly (readonly [number, string])[]
  /** The texts are items, not inputs. */
  areItems: boolean
}>

export const insertFlowSlots = (
  { runId, index, slots, areItems }: WaitingSlots,
  guard: Statement,
): Statement =>
  sql(
    `INSERT INTO flow_slots (run_id, step_index, slot, input, is_item)
     SELECT ?, ?, value ->> 0, value ->> 1, ? FROM json_each(?) WHERE ${guard.sql} ON CONFLICT DO NOTHING`,
    runId,
    index,
    areItems ? 1 : 0,
    JSON.stringify(slots),
    ...guard.args,
  )

export const deleteFlowSlot = (
  { runId, index, slot }: Readonly<{ runId: string; index: number; slot: number }>,
  guard: Statement,
): Statement =>
  sql(
    `DELETE FROM flow_slots WHERE run_id = ? AND step_index = ? AND slot = ? AND ${guard.sql}`,
    runId,
    index,
    slot,
    ...guard.args,
  )

const deleteFlowSlots = (runId: string, guard: Statement): Statement =>
  sql(`DELETE FROM flow_slots WHERE run_id = ? AND ${guard.sql}`, runId, ...guard.args)

export type CancelChildren = Readonly<{
  ws: string
  runId: string
  index: number
  by: string
  reason: string
}>

type Which = Readonly<{ text: string; args: readonly SqlValue[] }>

/** Queued jobs end, with their billing rows; running ones are marked and end with their workers. */
const cancelJobs = (
  { ws, by, reason }: Pick<CancelChildren, 'ws' | 'by' | 'reason'>,
  { text, args }: Which,
  guard: Statement,
): readonly Statement[] => [
  sql(
    `UPDATE jobs INDEXED BY jobs_by_flow SET status = 'canceled', cancel_by = ?, cancel_reason = ?,
       completed_at = ${SQL_NOW}, result = json_object('name', 'Canceled', 'message', ?)
     WHERE ws = ? AND ${text} AND status = 'queued' AND ${guard.sql} RETURNING id AS ended_id`,
    by,
    reason,
    reason,
    ws,
    ...args,
    ...guard.args,
  ),
  sql(
    `INSERT INTO ledger (job_id, ws, customer_id, app, action, outcome, duration_ms, completed_at)
     SELECT id, ws, customer_id, app, action, status, 0, completed_at FROM jobs INDEXED BY jobs_by_flow
     WHERE ws = ? AND ${text} AND status = 'canceled' AND ${guard.sql} ON CONFLICT (job_id) DO NOTHING`,
    ws,
    ...args,
    ...guard.args,
  ),
  sql(
    `UPDATE jobs INDEXED BY jobs_by_flow SET cancel_by = ?, cancel_reason = ?
     WHERE ws = ? AND ${text} AND status = 'running' AND cancel_by IS NULL AND ${guard.sql}
     RETURNING id AS marked_id`,
    by,
    reason,
    ws,
    ...args,
    ...guard.args,
  ),
]

/** The jobs of one step that are under way, and what of it has not begun. */
export const cancelStepJobs = (cancel: CancelChildren, guard: Statement): readonly Statement[] => [
  ...cancelJobs(
    cancel,
    { text: 'flow_run_id = ? AND flow_index = ?', args: [cancel.runId, cancel.index] },
    guard,
  ),
  deleteFlowSlots(cancel.runId, guard),
]

/** Runs below a run: of subflows, of theirs, and so on. */
const BELOW = `WITH RECURSIVE below (id) AS (
    SELECT id FROM flow_runs WHERE parent_run_id = ?
    UNION ALL SELECT c.id FROM flow_runs c JOIN below ON c.parent_run_id = below.id)`

/** The runs of subflows below a run, with their jobs and steps: those that are not over end canceled. */
export const cancelSubflows = (cancel: CancelChildren, guard: Statement): readonly Statement[] => {
  const { ws, runId, reason } = cancel
  const below = `IN (${BELOW} SELECT id FROM below)`
  return [
    ...cancelJobs(cancel, { text: `flow_run_id ${below}`, args: [runId] }, guard),
    sql(`DELETE FROM flow_slots WHERE run_id ${below} AND ${guard.sql}`, runId, ...guard.args),
    sql(
      `UPDATE flow_steps SET status = 'canceled', completed_at = ${SQL_NOW}
       WHERE run_id ${below} AND completed_at IS NULL AND ${guard.sql}`,
      runId,
      ...guard.args,
    ),
    sql(
      `UPDATE flow_runs SET status = 'canceled', completed_at = ${SQL_NOW}, version = version + 1,
         error = json_object('name', 'Canceled', 'message', ?), wait_until = NULL
       WHERE ws = ? AND id ${below} AND completed_at IS NULL AND ${guard.sql}`,
      reason,
      ws,
      runId,
      ...guard.args,
    ),
  ]
}
