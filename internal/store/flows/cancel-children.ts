/** Cancels the jobs and subflow runs of a step. Every statement belongs to the transition that leaves the step. */
import type { Reader, Statement } from '../database.ts'
import { cancelFlowJobs } from '../jobs/cancel.ts'
import { number, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { runTransition } from './run-transition.ts'

export type CancelChildren = Readonly<{
  ws: string
  runId: string
  index: number
  by: string
  reason: string
}>

type Step = Pick<CancelChildren, 'runId' | 'index'>

const isOfStep = ({ runId, index }: Step): Statement =>
  sql`jobs.flow_run_id = ${runId} AND jobs.flow_index = ${index}`

/** Lists the open jobs of one step. */
export const listOpenStepJobs = (
  db: Reader,
  step: Pick<CancelChildren, 'ws' | 'runId' | 'index'>,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT jobs.id FROM jobs INDEXED BY jobs_by_flow_open
      WHERE jobs.ws = ${step.ws} AND ${isOfStep(step)} AND jobs.completed_at IS NULL`,
  )

/** Cancels the open jobs of one step. @param known the jobs that its jobs have called, as far as they are known */
export const cancelStepJobs = (
  cancel: CancelChildren,
  known: readonly string[],
  guard: Statement,
): readonly Statement[] => cancelFlowJobs(cancel, isOfStep(cancel), guard, known)

const isOpenBelow = ({ runId, index }: Step): Statement =>
  sql`parent_run_id = ${runId} AND parent_index = ${index} AND completed_at IS NULL`

/** Selects up to `limit` of the open subflow runs below a step, at any depth. Only open runs have open ones below them. */
const openBelow = (step: Step, limit: number): Statement =>
  sql`(WITH RECURSIVE below (id) AS (
      SELECT id FROM flow_runs INDEXED BY flow_runs_open_by_parent WHERE ${isOpenBelow(step)}
      UNION ALL SELECT c.id FROM below JOIN flow_runs c INDEXED BY flow_runs_open_by_parent
        ON c.parent_run_id = below.id AND c.completed_at IS NULL
      LIMIT ${limit})
    SELECT id FROM below)`

/** Lists some of the open subflow runs below a step, at any depth. */
export const listOpenBelow = (db: Reader, step: Step, limit: number): Promise<readonly string[]> =>
  text.all(db, sql`SELECT id FROM ${openBelow(step, limit)}`)

/** Lists the open jobs of these runs. */
export const listOpenRunJobs = (
  db: Reader,
  { ws, runs, limit }: Readonly<{ ws: string; runs: readonly string[]; limit: number }>,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT jobs.id FROM json_each(${JSON.stringify(runs)}) run CROSS JOIN jobs INDEXED BY jobs_by_flow_open
      WHERE jobs.flow_run_id = run.value AND jobs.ws = ${ws} AND jobs.completed_at IS NULL LIMIT ${limit}`,
  )

/** Lists the bytes of items that have not begun, of these runs. */
export const listRunSlotSizes = (
  db: Reader,
  runs: readonly string[],
  limit: number,
): Promise<readonly number[]> =>
  number.all(
    db,
    sql`SELECT octet_length(flow_slots.input)
      FROM json_each(${JSON.stringify(runs)}) run CROSS JOIN flow_slots ON flow_slots.run_id = run.value LIMIT ${limit}`,
  )

/** Marks the open subflow runs of a step as canceled. The next transition of each run processes the mark. */
export const markSubflows = (
  { ws, reason, ...step }: CancelChildren,
  guard: Statement,
): Statement =>
  sql`UPDATE flow_runs INDEXED BY flow_runs_open_by_parent SET cancel_reason = ${reason}, version = version + 1
    WHERE ws = ${ws} AND ${isOpenBelow(step)} AND ${guard}
    RETURNING id AS due_run_id`

/**
 * Cancels the open subflow runs below a step, with their jobs and steps. It is used only if they are few and none of them has
 * anything to undo.
 * @param known the jobs that their jobs have called, as far as they are known
 */
export const cancelSubflows = (
  cancel: CancelChildren,
  known: readonly string[],
  guard: Statement,
): readonly Statement[] => {
  const { ws, reason } = cancel
  const below = openBelow(cancel, -1)
  return [
    ...cancelFlowJobs(cancel, sql`jobs.flow_run_id IN ${below}`, guard, known),
    sql`DELETE FROM flow_slots WHERE run_id IN ${below} AND ${guard}`,
    sql`UPDATE flow_steps SET status = 'canceled', completed_at = ${SQL_NOW}
      WHERE run_id IN ${below} AND completed_at IS NULL AND ${guard}`,
    runTransition('canceled', {
      set: sql`error = json_object('name', 'Canceled', 'message', ${reason}), wait_until = NULL, remind_at = NULL,
        awaits_room = 0`,
      where: sql`flow_runs.ws = ${ws} AND flow_runs.id IN ${below} AND ${guard}`,
    }),
  ]
}
