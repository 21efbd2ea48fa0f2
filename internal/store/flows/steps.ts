/** Steps of flow runs and their waiting items. Every statement belongs to a transition. */
import { STEP_STATUSES, type StepStatus } from '#core/flow/run.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { count, number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { listed, raw, SQL_NOW, sql } from '../sql.ts'

const stepRow = row({
  index: number('step_index'),
  key: text,
  status: oneOf(STEP_STATUSES),
  result: text.nullable,
  error: text.nullable,
  /** What approvers see before they decide, encrypted. */
  shown: text.nullable,
  /** How many of its items could not begin; null if nothing has begun. */
  refused: number.nullable,
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
       WHERE run_id = ${runId} AND step_index < ${steps} AND status IN ('success', 'skipped') AND key IN ${listed(keys)}`,
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
         AND key IN ${listed(keys)}
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
  /** How many of its items cannot begin. */
  refused: number
}>

/** Inserts a step that begins. @param guard true for the transition that opens it */
export const insertFlowStep = (step: OpenedStep, guard: Statement): Statement =>
  sql`INSERT INTO flow_steps (run_id, step_index, key, status, frame, shown, refused, started_at)
     SELECT ${step.runId}, ${step.index}, ${step.key}, ${step.status}, ${step.frame ?? null}, ${step.shown ?? null},
       ${step.refused}, ${SQL_NOW} WHERE ${guard} ON CONFLICT DO NOTHING`

export type EndedStep = Readonly<{
  ws: string
  runId: string
  index: number
  key: string
  status: Exclude<StepStatus, 'pending' | 'running' | 'waiting_approval'>
  result: string | null
  error: string | null
  /** Whether a restart took the step over from an earlier run. @default false */
  isKept?: boolean
}>

/**
 * Ends a step. It also works for a step that never began, because it was skipped or its data was invalid. Each statement of a batch
 * reads the clock, and the run's row comes first, so the last step takes the time of the run's end, even if it began in this batch.
 */
export const endFlowStep = (step: EndedStep, guard: Statement): Statement =>
  sql`INSERT INTO flow_steps (run_id, step_index, key, status, result, error, is_kept, started_at, completed_at)
     SELECT ${step.runId}, ${step.index}, ${step.key}, ${step.status}, ${step.result}, ${step.error}, ${step.isKept ?? false}, at, at
     FROM (SELECT COALESCE((SELECT completed_at FROM flow_runs WHERE ws = ${step.ws} AND id = ${step.runId}), ${SQL_NOW}) AS at)
     WHERE ${guard}
     ON CONFLICT (run_id, step_index) DO UPDATE SET status = excluded.status, result = excluded.result,
       error = excluded.error, frame = NULL, completed_at = excluded.completed_at,
       started_at = MIN(flow_steps.started_at, excluded.started_at)
     WHERE flow_steps.completed_at IS NULL`

type SlotPortion<Slot> = Readonly<{
  runId: string
  index: number
  /** The last of the previous portion. */
  after: Slot | null
  limit: number
}>

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
export type RefusedSlot = RowOf<typeof refusedSlot>

/** Lists the errors of the items of a step behind `after` that could not begin, encrypted, in order. */
export const listRefusedSlots = (
  db: Reader,
  { runId, index, after, limit }: SlotPortion<RefusedSlot>,
): Promise<readonly RefusedSlot[]> =>
  refusedSlot.all(
    db,
    sql`SELECT ${refusedSlot.columns()} FROM flow_slots
      WHERE run_id = ${runId} AND step_index = ${index} AND slot > ${after?.slot ?? -1} AND error IS NOT NULL
      ORDER BY slot LIMIT ${limit}`,
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

export type SlotRange = Readonly<{ runId: string; index: number; first: number; last: number }>

const slotSize = row({
  slot: number,
  size: number(raw('octet_length(input) + COALESCE(octet_length(error), 0)')),
})
export type SlotSize = RowOf<typeof slotSize>

/** Lists the items of a step behind `after` with their bytes, in order. */
export const listSlotSizes = (
  db: Reader,
  { runId, index, after, limit }: SlotPortion<SlotSize>,
): Promise<readonly SlotSize[]> =>
  slotSize.all(
    db,
    sql`SELECT ${slotSize.columns()} FROM flow_slots
      WHERE run_id = ${runId} AND step_index = ${index} AND slot > ${after?.slot ?? -1} ORDER BY slot LIMIT ${limit}`,
  )

/** Counts the items of a step that wait for their turn. Those that cannot begin have no input. */
export const countWaitingSlots = (
  db: Reader,
  { runId, index }: Readonly<{ runId: string; index: number }>,
): Promise<number> =>
  count(
    db,
    sql`SELECT count(*) FROM flow_slots WHERE run_id = ${runId} AND step_index = ${index} AND octet_length(input) > 0`,
  )

/** Deletes some items of a step. @param guard true for the transition that ends the step */
export const deleteSlotRange = (
  { runId, index, first, last }: SlotRange,
  guard: Statement,
): Statement =>
  sql`DELETE FROM flow_slots WHERE run_id = ${runId} AND step_index = ${index} AND slot BETWEEN ${first} AND ${last} AND ${guard}`

/** Deletes the items of a run when its step ends. @param guard true for that transition */
export const deleteFlowSlots = (runId: string, guard: Statement): Statement =>
  sql`DELETE FROM flow_slots WHERE run_id = ${runId} AND ${guard}`
