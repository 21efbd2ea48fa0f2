/** Steps of flow runs, their waiting items, and cancels of their jobs and subflows. Every statement belongs to a transition. */
import { STEP_STATUSES, type StepStatus } from '#core/flow/run.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { cancelFlowJobs } from '../jobs/cancel.ts'
import { number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { runTransition } from './run-transition.ts'

const stepRow = row({
  index: number('step_index'),
  key: text,
  status: oneOf(STEP_STATUSES),
  result: text.nullable,
  error: text.nullable,
  /** What approvers see before they decide, encrypted. */
  shown: text.nullable,
  startedAt: time,
  completedAt: time.nullable,
})

export type FlowStepRow = RowOf<typeof stepRow>

/** Lists the steps of a run that have begun behind `after`, in order. -1 is before the first. */
export const listFlowSteps = (
  db: Database,
  runId: string,
  { after, limit }: Readonly<{ after: number; limit: number }>,
): Promise<readonly FlowStepRow[]> =>
  stepRow.all(
    db,
    sql`SELECT ${stepRow.columns()} FROM flow_steps
      WHERE run_id = ${runId} AND step_index > ${after} ORDER BY step_index LIMIT ${limit}`,
  )

const stepStatus = row({
  index: number('step_index'),
  key: text,
  status: oneOf(STEP_STATUSES),
})

export type FlowStepStatus = RowOf<typeof stepStatus>

/** Lists the statuses of the steps of a run that have begun, in order. */
export const listStepStatuses = (db: Database, runId: string): Promise<readonly FlowStepStatus[]> =>
  stepStatus.all(
    db,
    sql`SELECT ${stepStatus.columns()} FROM flow_steps WHERE run_id = ${runId} ORDER BY step_index`,
  )

/** Finds what an approval shows, encrypted. */
export const findShown = (
  db: Reader,
  { runId, index }: Readonly<{ runId: string; index: number }>,
): Promise<string | null> =>
  text.nullable.one(
    db,
    sql`SELECT shown FROM flow_steps WHERE run_id = ${runId} AND step_index = ${index}`,
  )

const stepResult = row({ key: text, index: number('step_index'), result: text.nullable })

export type StepResult = RowOf<typeof stepResult>

export type StepResultsRequest = Readonly<{
  runId: string
  keys: readonly string[]
  /** The number of the flow's steps. Undo actions have higher indexes and the keys of their steps. */
  steps: number
}>

/** Lists the results of the named steps that succeeded or were skipped. */
export const listStepResults = async (
  db: Database,
  { runId, keys, steps }: StepResultsRequest,
): Promise<readonly StepResult[]> => {
  if (keys.length === 0) return []
  return stepResult.all(
    db,
    sql`SELECT ${stepResult.columns()} FROM flow_steps
       WHERE run_id = ${runId} AND step_index < ${steps} AND status IN ('success', 'skipped') AND key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
  )
}

/** Lists the indexes of the steps below `steps` that succeeded in this run and were not kept from an earlier one, in order. */
export const listDoneSteps = (
  db: Database,
  { runId, steps }: Omit<StepResultsRequest, 'keys'>,
): Promise<readonly number[]> =>
  number.all(
    db,
    sql`SELECT step_index FROM flow_steps
      WHERE run_id = ${runId} AND step_index < ${steps} AND status = 'success' AND is_kept = 0
      ORDER BY step_index`,
  )

const lastResult = row({ index: number('step_index'), result: text })

/** Finds the result of the last successful step among the named ones. */
export const findLastResult = (
  db: Database,
  { runId, steps, keys }: StepResultsRequest,
): Promise<RowOf<typeof lastResult> | null> =>
  lastResult.one(
    db,
    sql`SELECT ${lastResult.columns()} FROM flow_steps
       WHERE run_id = ${runId} AND step_index < ${steps} AND status = 'success'
         AND key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))
       ORDER BY step_index DESC LIMIT 1`,
  )

export type OpenedStep = Readonly<{
  runId: string
  index: number
  key: string
  status: 'running' | 'waiting_approval'
  /** What the inputs of a loop's items share, encrypted. */
  frame?: string
  /** What approvers see before they decide, encrypted. */
  shown?: string
}>

/** Inserts a step that begins. @param guard true for the transition that opens it */
export const insertFlowStep = (step: OpenedStep, guard: Statement): Statement =>
  sql`INSERT INTO flow_steps (run_id, step_index, key, status, frame, shown, started_at)
     SELECT ${step.runId}, ${step.index}, ${step.key}, ${step.status}, ${step.frame ?? null}, ${step.shown ?? null}, ${SQL_NOW} WHERE ${guard} ON CONFLICT DO NOTHING`

export type EndedStep = Readonly<{
  runId: string
  index: number
  key: string
  status: Exclude<StepStatus, 'pending' | 'running' | 'waiting_approval'>
  result: string | null
  error: string | null
  /** Whether a restart took the step over from an earlier run. @default false */
  isKept?: boolean
}>

/** Ends a step. It also works for a step that never began, because it was skipped or its data was invalid. */
export const endFlowStep = (step: EndedStep, guard: Statement): Statement =>
  sql`INSERT INTO flow_steps (run_id, step_index, key, status, result, error, is_kept, started_at, completed_at)
     SELECT ${step.runId}, ${step.index}, ${step.key}, ${step.status}, ${step.result}, ${step.error}, ${step.isKept ?? false}, ${SQL_NOW}, ${SQL_NOW} WHERE ${guard}
     ON CONFLICT (run_id, step_index) DO UPDATE SET status = excluded.status, result = excluded.result,
       error = excluded.error, frame = NULL, completed_at = excluded.completed_at
     WHERE flow_steps.completed_at IS NULL`

export type RefusedSlots = Readonly<{
  runId: string
  index: number
  /** Pairs of index and error: `[[slot, error], …]`, encrypted. */
  slots: readonly (readonly [number, string])[]
}>

/** Inserts items that cannot begin. @param guard true for the transition that opens their step */
export const insertRefusedSlots = (
  { runId, index, slots }: RefusedSlots,
  guard: Statement,
): Statement =>
  sql`INSERT INTO flow_slots (run_id, step_index, slot, input, error)
     SELECT ${runId}, ${index}, value ->> 0, '', value ->> 1 FROM json_each(${JSON.stringify(slots)}) WHERE ${guard} ON CONFLICT DO NOTHING`

const refusedSlot = row({ slot: number, error: text })

/** Lists the errors of the items of a step that could not begin, encrypted. */
export const listRefusedSlots = (
  db: Database,
  { runId, index }: Omit<RefusedSlots, 'slots'>,
): Promise<readonly RowOf<typeof refusedSlot>[]> =>
  refusedSlot.all(
    db,
    sql`SELECT ${refusedSlot.columns()} FROM flow_slots
      WHERE run_id = ${runId} AND step_index = ${index} AND error IS NOT NULL ORDER BY slot`,
  )

export type WaitingSlots = Readonly<{
  runId: string
  index: number
  /** Pairs of index and text: `[[slot, text], …]`. */
  slots: readonly (readonly [number, string])[]
  /** Whether the texts are items instead of inputs. */
  areItems: boolean
}>

/** Inserts items that wait to begin. @param guard true for the transition that opens their step */
export const insertFlowSlots = (
  { runId, index, slots, areItems }: WaitingSlots,
  guard: Statement,
): Statement =>
  sql`INSERT INTO flow_slots (run_id, step_index, slot, input, is_item)
     SELECT ${runId}, ${index}, value ->> 0, value ->> 1, ${areItems} FROM json_each(${JSON.stringify(slots)}) WHERE ${guard} ON CONFLICT DO NOTHING`

/** Deletes an item that no longer waits. @param guard true for the transition that begins or ends it */
export const deleteFlowSlot = (
  { runId, index, slot }: Readonly<{ runId: string; index: number; slot: number }>,
  guard: Statement,
): Statement =>
  sql`DELETE FROM flow_slots WHERE run_id = ${runId} AND step_index = ${index} AND slot = ${slot} AND ${guard}`

/** Deletes the items of a run when its step ends. @param guard true for that transition */
export const deleteFlowSlots = (runId: string, guard: Statement): Statement =>
  sql`DELETE FROM flow_slots WHERE run_id = ${runId} AND ${guard}`

export type CancelChildren = Readonly<{
  ws: string
  runId: string
  index: number
  by: string
  reason: string
}>

const isOfStep = ({ runId, index }: Pick<CancelChildren, 'runId' | 'index'>): Statement =>
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

/**
 * Cancels the open jobs of one step, and deletes its items that have not begun.
 * @param known the jobs that its jobs have called, as far as they are known
 */
export const cancelStepJobs = (
  cancel: CancelChildren,
  known: readonly string[],
  guard: Statement,
): readonly Statement[] => [
  ...cancelFlowJobs(cancel, isOfStep(cancel), guard, known),
  deleteFlowSlots(cancel.runId, guard),
]

/** Selects the subflow runs below a run, at any depth. */
const runsBelow = (runId: string): Statement =>
  sql`(WITH RECURSIVE below (id) AS (
      SELECT id FROM flow_runs WHERE parent_run_id = ${runId}
      UNION ALL SELECT c.id FROM flow_runs c JOIN below ON c.parent_run_id = below.id)
    SELECT id FROM below)`

/** Marks the open subflow runs of a step as canceled. The next transition of each run processes the mark. */
export const markSubflows = (
  { ws, runId, index, reason }: CancelChildren,
  guard: Statement,
): Statement =>
  sql`UPDATE flow_runs SET cancel_reason = ${reason}, version = version + 1
    WHERE ws = ${ws} AND parent_run_id = ${runId} AND parent_index = ${index} AND completed_at IS NULL AND ${guard}
    RETURNING id AS due_run_id`

/** Cancels the open subflow runs below a run, with their jobs and steps. It is used only if none of them has anything to undo. */
export const cancelSubflows = (cancel: CancelChildren, guard: Statement): readonly Statement[] => {
  const { ws, runId, reason } = cancel
  const below = runsBelow(runId)
  return [
    ...cancelFlowJobs(cancel, sql`jobs.flow_run_id IN ${below}`, guard),
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
