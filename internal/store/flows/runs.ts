/** Rows of flow runs: reading them, inserting them, and updating them from one transition to the next. */
import { z } from 'zod'
import { CONCURRENCY_STATES } from '#core/flow/concurrency.ts'
import { type Deadline, isRunOver, RUN_STATUSES } from '#core/flow/run.ts'
import { FLOW_TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import type { Database, Statement } from '../database.ts'
import { bool, number, oneOf, parsed, type RowOf, row, text, time } from '../row.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { runTransition } from './run-transition.ts'

const head = {
  ws: text,
  id: text,
  app: text,
  flow: text,
  deploymentId: text,
  commit: text('d.commit_id'),
  status: oneOf(RUN_STATUSES),
  triggerKind: oneOf(FLOW_TRIGGER_KINDS),
  createdBy: text,
  permissionedAs: text,
  /** Length of the chain of jobs and runs that started one another before this run. */
  chainDepth: number,
  holdsAppsWrite: bool,
  /** All jobs of the run have it. */
  priority: number,
  /** All jobs of the run have it; if null, they have the tags of their actions. */
  tag: text.nullable,
  parentRunId: text.nullable,
  parentIndex: number.nullable,
  /** Index of the item or arm of the parent run's step that this run executes. */
  parentSlot: number,
  depth: number,
  restartedFrom: text.nullable,
  /** -1 before the start. */
  stepIndex: number,
  version: number,
  transition: text,
  waitUntil: time.nullable,
  /** Why the parent run has canceled this run; null if it has not, or if the cancel was processed. */
  cancelReason: text.nullable,
  /** Total size in bytes of the results of all ended steps. */
  resultBytes: number,
  /** Total size in bytes of the results of the current step's items. */
  slotBytes: number,
  /** Items of the step have not begun because the workspace's queue was full. */
  awaitsRoom: bool,
  concurrencyLimit: number.nullable,
  /** Null if the flow does not limit its runs. */
  concurrencyState: oneOf(CONCURRENCY_STATES).nullable,
  createdAt: time,
  completedAt: time.nullable,
}
const runHead = row(head)
const flowRun = row({
  ...head,
  trigger: text.nullable,
  input: text,
  result: text.nullable,
  error: text.nullable,
  failure: text.nullable,
  /** The job with which it is canceled; a durable step of the job may wait for its end. */
  canceledWith: text.nullable,
})

/** A run without its texts, which may have megabytes. */
export type FlowRunHead = RowOf<typeof runHead>
/** Texts are stored encrypted. The service decrypts them. */
export type FlowRun = RowOf<typeof flowRun>

const RUN_TABLES = 'flow_runs r JOIN deployments d ON d.id = r.deployment_id'

/** Finds a run of the workspace without its texts. */
export const findRunHead = (db: Database, ws: string, id: string): Promise<FlowRunHead | null> =>
  runHead.one(
    db,
    sql`SELECT ${runHead.columns('r')} FROM ${raw(RUN_TABLES)} WHERE r.ws = ${ws} AND r.id = ${id}`,
  )

/** Finds a run of the workspace. Its texts remain encrypted. */
export const findFlowRun = (db: Database, ws: string, id: string): Promise<FlowRun | null> =>
  flowRun.one(
    db,
    sql`SELECT ${flowRun.columns('r')} FROM ${raw(RUN_TABLES)} WHERE r.ws = ${ws} AND r.id = ${id}`,
  )

/** The encrypted `text` is the input, or the item from which the input is made together with the step's frame. */
export type NextSlot = Readonly<{ slot: number; text: string; isItem: boolean }>

const slotRows = z.array(z.tuple([z.int(), z.string(), z.int()]))

const toNextSlots = (json: string): readonly NextSlot[] =>
  slotRows
    .parse(JSON.parse(json))
    .map(([slot, sealed, isItem]) => ({ slot, text: sealed, isItem: isItem === 1 }))

const currentStep = row({
  wrappedKey: text,
  /** The first items that have not begun. */
  nextSlots: parsed(toNextSlots),
  /** The item after those, whose text was not read; null if there is none. */
  unreadSlot: number.nullable,
  /** What the inputs of a loop's items share, encrypted; kept until all items have begun. */
  frame: text.nullable,
  /** Number of jobs of the step that have not ended. */
  open: number,
  /** Number of the step's subflow runs that have not ended. */
  openRuns: number,
})

/** What a transition needs from the run and its current step, in one read. */
export type LoadedRun = Readonly<{ run: FlowRun }> & RowOf<typeof currentStep>

export type LoadedRunRequest = Readonly<{
  ws: string
  id: string
  /** Limit of items to read that have not begun. */
  nextSlots: number
}>

/** Reads a run with what its next transition needs, in one round trip. @returns null if the run does not exist */
export const loadFlowRun = async (
  db: Database,
  { ws, id, nextSlots }: LoadedRunRequest,
): Promise<LoadedRun | null> => {
  const found = await db.one(
    sql`SELECT ${flowRun.columns('r')}, w.wrapped_key,
         (SELECT json_group_array(json_array(slot, input, is_item)) FROM (
           SELECT slot, input, is_item FROM flow_slots s WHERE s.run_id = r.id AND s.step_index = r.step_index
             AND s.error IS NULL ORDER BY slot LIMIT ${nextSlots})) AS next_slots,
         (SELECT slot FROM flow_slots s WHERE s.run_id = r.id AND s.step_index = r.step_index
           AND s.error IS NULL ORDER BY slot LIMIT 1 OFFSET ${nextSlots}) AS unread_slot,
         (SELECT frame FROM flow_steps f WHERE f.run_id = r.id AND f.step_index = r.step_index) AS frame,
         (SELECT count(*) FROM jobs j INDEXED BY jobs_by_flow_open
           WHERE j.flow_run_id = r.id AND j.flow_index = r.step_index AND j.completed_at IS NULL) AS open,
         (SELECT count(*) FROM flow_runs c INDEXED BY flow_runs_open_by_parent
           WHERE c.parent_run_id = r.id AND c.parent_index = r.step_index AND c.completed_at IS NULL) AS open_runs
       FROM ${raw(RUN_TABLES)} JOIN workspaces w ON w.id = r.ws WHERE r.ws = ${ws} AND r.id = ${id}`,
  )
  return found === null ? null : { run: flowRun.read(found), ...currentStep.read(found) }
}

const slotResult = row({
  id: text,
  slot: number,
  /** 0 for a subflow run. */
  attempt: number,
  isSuccess: bool,
  /** The result, or the error. */
  text,
  /** The run of a subflow; null if a job did the work. */
  runId: text.nullable,
})

/** How an item of a step has ended. The result of its last attempt, encrypted or plain. */
export type SlotResult = RowOf<typeof slotResult>

export type SlotResultsPage = Readonly<{
  ws: string
  runId: string
  index: number
  /** The last result of the page before; null for the first page. */
  after: SlotResult | null
  limit: number
}>

/** Lists how the jobs of a step have ended, in the order of their index: by item and id. A retried item has several. */
export const listJobResults = (
  db: Database,
  { ws, runId, index, after, limit }: SlotResultsPage,
): Promise<readonly SlotResult[]> => {
  const isBehind =
    after === null ? TRUE : sql`(flow_slot, ws, id) > (${after.slot}, ${ws}, ${after.id})`
  return slotResult.all(
    db,
    sql`SELECT id, flow_slot AS slot, flow_attempt AS attempt, status = 'success' AS is_success,
        COALESCE(result, '{}') AS text, NULL AS run_id
      FROM jobs INDEXED BY jobs_by_flow
      WHERE flow_run_id = ${runId} AND flow_index = ${index} AND completed_at IS NOT NULL AND ${isBehind}
      ORDER BY flow_slot, ws, id LIMIT ${limit}`,
  )
}

/** Lists how the subflow runs of a step have ended, in the order of their index: by id. */
export const listSubflowResults = (
  db: Database,
  { ws, runId, index, after, limit }: SlotResultsPage,
): Promise<readonly SlotResult[]> => {
  const isBehind = after === null ? TRUE : sql`(ws, id) > (${ws}, ${after.id})`
  return slotResult.all(
    db,
    sql`SELECT id, parent_slot AS slot, 0 AS attempt, status = 'completed' AS is_success,
        COALESCE(result, error, '{}') AS text, id AS run_id
      FROM flow_runs INDEXED BY flow_runs_by_parent
      WHERE parent_run_id = ${runId} AND parent_index = ${index} AND completed_at IS NOT NULL AND ${isBehind}
      ORDER BY ws, id LIMIT ${limit}`,
  )
}

export type NewFlowRun = Omit<
  FlowRun,
  'commit' | 'version' | 'waitUntil' | 'cancelReason' | 'canceledWith' | 'createdAt' | 'completedAt'
> &
  Readonly<{ concurrencyKey: string | null; wait: Deadline | null; remindMs: number | null }>

const timeOf = (wait: Deadline | null): Statement => {
  if (wait === null) return raw('NULL')
  return 'at' in wait ? sql`${wait.at}` : sql`${SQL_NOW} + ${wait.afterMs}`
}

/** Inserts a run. Returns one row if it was inserted. */
export const insertFlowRun = (run: NewFlowRun, guard: Statement): Statement =>
  sql`INSERT INTO flow_runs (ws, id, app, flow, deployment_id, status, trigger_kind, trigger, input, result, error, failure,
       created_by, permissioned_as, chain_depth, holds_apps_write, priority, tag,
       parent_run_id, parent_index, parent_slot, depth, restarted_from,
       step_index, transition, wait_until, remind_at,
       result_bytes, slot_bytes, awaits_room, concurrency_key, concurrency_limit, concurrency_state, created_at, completed_at)
     SELECT ${run.ws}, ${run.id}, ${run.app}, ${run.flow}, ${run.deploymentId}, ${run.status}, ${run.triggerKind},
       ${run.trigger}, ${run.input}, ${run.result}, ${run.error}, ${run.failure},
       ${run.createdBy}, ${run.permissionedAs}, ${run.chainDepth}, ${run.holdsAppsWrite}, ${run.priority}, ${run.tag},
       ${run.parentRunId}, ${run.parentIndex}, ${run.parentSlot}, ${run.depth},
       ${run.restartedFrom}, ${run.stepIndex}, ${run.transition}, ${timeOf(run.wait)}, ${SQL_NOW} + ${run.remindMs},
       ${run.resultBytes}, ${run.slotBytes}, ${run.awaitsRoom},
       ${run.concurrencyKey}, ${run.concurrencyLimit}, ${run.concurrencyState}, ${SQL_NOW},
       ${isRunOver(run.status) ? SQL_NOW : null}
     WHERE ${guard} ON CONFLICT DO NOTHING RETURNING id`

/** A guard: the run exists, in any status. */
export const hasRun = (ws: string, id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM flow_runs WHERE ws = ${ws} AND id = ${id})`

/** A guard: this transition is the run's current one, so its other rows may be written. */
export const isTransition = (ws: string, id: string, transition: string): Statement =>
  sql`EXISTS (SELECT 1 FROM flow_runs WHERE ws = ${ws} AND id = ${id} AND transition = ${transition})`

/** A guard: no other process has advanced the run. */
export const isUntouched = ({
  ws,
  id,
  version,
}: Pick<FlowRun, 'ws' | 'id' | 'version'>): Statement =>
  sql`EXISTS (SELECT 1 FROM flow_runs o WHERE o.ws = ${ws} AND o.id = ${id} AND o.version = ${version} AND o.completed_at IS NULL)`

export type NextFlowRun = Pick<
  FlowRun,
  | 'ws'
  | 'id'
  | 'version'
  | 'status'
  | 'stepIndex'
  | 'result'
  | 'error'
  | 'failure'
  | 'resultBytes'
  | 'slotBytes'
  | 'awaitsRoom'
> &
  Readonly<{
    transition: string
    /** Null if the run does not wait, or waits without a deadline. */
    wait: Deadline | null
    /** Keeps the current deadline. */
    keepsWait: boolean
    /** Milliseconds until the next reminder; null if there is none. */
    remindMs: number | null
    /** Keeps the time of the next reminder. */
    keepsReminder: boolean
  }>

/** Advances a run by one transition, if it has not changed since it was read. */
export const updateFlowRun = (run: NextFlowRun, guard: Statement): Statement =>
  runTransition(run.status, {
    set: sql`transition = ${run.transition}, step_index = ${run.stepIndex}, result = ${run.result},
      error = ${run.error}, failure = ${run.failure}, cancel_reason = NULL, result_bytes = ${run.resultBytes},
      slot_bytes = ${run.slotBytes}, awaits_room = ${run.awaitsRoom},
      wait_until = CASE WHEN ${run.keepsWait} THEN wait_until ELSE ${timeOf(run.wait)} END,
      remind_at = CASE WHEN ${run.keepsReminder} THEN remind_at ELSE ${SQL_NOW} + ${run.remindMs} END`,
    where: sql`ws = ${run.ws} AND id = ${run.id} AND version = ${run.version} AND ${guard}`,
  })

const runTrigger = row({ input: text, trigger: text })

/** Finds what the jobs of a run get as ctx.trigger. Both values are encrypted. */
export const findRunTrigger = (
  db: Database,
  ws: string,
  id: string,
): Promise<RowOf<typeof runTrigger> | null> =>
  runTrigger.one(
    db,
    sql`SELECT input, trigger FROM flow_runs WHERE ws = ${ws} AND id = ${id} AND trigger IS NOT NULL`,
  )
