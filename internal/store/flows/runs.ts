/** Rows of flow runs: reading them, inserting them, and updating them from one transition to the next. */
import { z } from 'zod'
import { type Deadline, isRunOver, RUN_STATUSES, type RunStatus } from '#core/flow/run.ts'
import { FLOW_TRIGGER_KINDS, type FlowTriggerKind } from '#core/job/trigger-kind.ts'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from '../column.ts'
import type { Database, Row, Statement } from '../database.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { runTransition } from './run-transition.ts'

/** Texts are stored encrypted. The service decrypts them. */
export type FlowRun = Readonly<{
  ws: string
  id: string
  app: string
  flow: string
  deploymentId: string
  commit: string
  status: RunStatus
  triggerKind: FlowTriggerKind
  trigger: string | null
  input: string
  result: string | null
  error: string | null
  failure: string | null
  createdBy: string
  permissionedAs: string
  /** Length of the chain of jobs and runs that started one another before this run. */
  chainDepth: number
  holdsAppsWrite: boolean
  parentRunId: string | null
  parentIndex: number | null
  /** Index of the item or arm of the parent run's step that this run executes. */
  parentSlot: number
  depth: number
  restartedFrom: string | null
  stepIndex: number
  version: number
  transition: string
  waitUntil: number | null
  /** Why the parent run has canceled this run; null if it has not, or if the cancel was processed. */
  cancelReason: string | null
  /** Total size in bytes of the results of all ended steps. */
  resultBytes: number
  /** Total size in bytes of the results of the current step's items. */
  slotBytes: number
  /** Items of the step have not begun because the workspace's queue was full. */
  awaitsRoom: boolean
  createdAt: number
  completedAt: number | null
}>

/** Reads a stored status. @throws {Error} the state table does not have it */
export const toRunStatus = (value: string): RunStatus => {
  const status = RUN_STATUSES.find((known) => known === value)
  if (status === undefined) throw new Error(`Unknown run status ${value} in the database.`)
  return status
}

const toTriggerKind = (value: string): FlowTriggerKind => {
  const kind = FLOW_TRIGGER_KINDS.find((known) => known === value)
  if (kind === undefined) throw new Error(`Unknown trigger ${value} of a flow run in the database.`)
  return kind
}

const toFlowRun = (row: Row): FlowRun => ({
  ws: asText(row.ws),
  id: asText(row.id),
  app: asText(row.app),
  flow: asText(row.flow),
  deploymentId: asText(row.deployment_id),
  commit: asText(row.commit_id),
  status: toRunStatus(asText(row.status)),
  triggerKind: toTriggerKind(asText(row.trigger_kind)),
  trigger: asTextOrNull(row.trigger),
  input: asText(row.input),
  result: asTextOrNull(row.result),
  error: asTextOrNull(row.error),
  failure: asTextOrNull(row.failure),
  createdBy: asText(row.created_by),
  permissionedAs: asText(row.permissioned_as),
  chainDepth: asNumber(row.chain_depth),
  holdsAppsWrite: row.holds_apps_write === 1,
  parentRunId: asTextOrNull(row.parent_run_id),
  parentIndex: asNumberOrNull(row.parent_index),
  parentSlot: asNumber(row.parent_slot),
  depth: asNumber(row.depth),
  restartedFrom: asTextOrNull(row.restarted_from),
  stepIndex: asNumber(row.step_index),
  version: asNumber(row.version),
  transition: asText(row.transition),
  waitUntil: asNumberOrNull(row.wait_until),
  cancelReason: asTextOrNull(row.cancel_reason),
  resultBytes: asNumber(row.result_bytes),
  slotBytes: asNumber(row.slot_bytes),
  awaitsRoom: row.awaits_room === 1,
  createdAt: asNumber(row.created_at),
  completedAt: asNumberOrNull(row.completed_at),
})

const RUN_COLUMNS = `r.ws, r.id, r.app, r.flow, r.deployment_id, d.commit_id, r.status, r.trigger_kind, r.trigger,
  r.input, r.result, r.error, r.failure, r.created_by, r.permissioned_as, r.chain_depth,
  r.holds_apps_write, r.parent_run_id, r.parent_index, r.parent_slot, r.depth, r.restarted_from,
  r.step_index, r.version, r.transition, r.wait_until, r.cancel_reason, r.result_bytes, r.slot_bytes, r.awaits_room,
  r.created_at, r.completed_at`
const RUN_TABLES = 'flow_runs r JOIN deployments d ON d.id = r.deployment_id'

/** Finds a run of the workspace. Its texts remain encrypted. */
export const findFlowRun = async (
  db: Database,
  ws: string,
  id: string,
): Promise<FlowRun | null> => {
  const row = await db.one(
    sql`SELECT ${raw(RUN_COLUMNS)} FROM ${raw(RUN_TABLES)} WHERE r.ws = ${ws} AND r.id = ${id}`,
  )
  return row === null ? null : toFlowRun(row)
}

/** What a transition needs from the run and its current step, in one read. */
export type LoadedRun = Readonly<{
  run: FlowRun
  wrappedKey: string
  /** Number of jobs of the step that have not ended. */
  open: number
  /** Number of the step's subflow runs that have not ended. */
  openRuns: number
  /** The first items that have not begun. */
  nextSlots: readonly NextSlot[]
  /** The item after those, whose text was not read; null if there is none. */
  unreadSlot: number | null
  /** What the inputs of a loop's items share, encrypted; kept until all items have begun. */
  frame: string | null
}>

/** The encrypted `text` is the input, or the item from which the input is made together with the step's frame. */
export type NextSlot = Readonly<{ slot: number; text: string; isItem: boolean }>

export type LoadedRunRequest = Readonly<{
  ws: string
  id: string
  /** Limit of items to read that have not begun. */
  nextSlots: number
}>

const slotRows = z.array(z.tuple([z.int(), z.string(), z.int()]))

/** Reads a run with what its next transition needs, in one round trip. @returns null if the run does not exist */
export const loadFlowRun = async (
  db: Database,
  { ws, id, nextSlots }: LoadedRunRequest,
): Promise<LoadedRun | null> => {
  const row = await db.one(
    sql`SELECT ${raw(RUN_COLUMNS)}, w.wrapped_key,
         (SELECT json_group_array(json_array(slot, input, is_item)) FROM (
           SELECT slot, input, is_item FROM flow_slots s WHERE s.run_id = r.id AND s.step_index = r.step_index
             AND s.error IS NULL ORDER BY slot LIMIT ${nextSlots})) AS slots,
         (SELECT slot FROM flow_slots s WHERE s.run_id = r.id AND s.step_index = r.step_index
           AND s.error IS NULL ORDER BY slot LIMIT 1 OFFSET ${nextSlots}) AS unread_slot,
         (SELECT frame FROM flow_steps f WHERE f.run_id = r.id AND f.step_index = r.step_index) AS frame,
         (SELECT count(*) FROM jobs j INDEXED BY jobs_by_flow_open
           WHERE j.flow_run_id = r.id AND j.flow_index = r.step_index AND j.completed_at IS NULL) AS open,
         (SELECT count(*) FROM flow_runs c INDEXED BY flow_runs_by_parent
           WHERE c.parent_run_id = r.id AND c.parent_index = r.step_index AND c.completed_at IS NULL) AS open_runs
       FROM ${raw(RUN_TABLES)} JOIN workspaces w ON w.id = r.ws WHERE r.ws = ${ws} AND r.id = ${id}`,
  )
  if (row === null) return null
  return {
    run: toFlowRun(row),
    wrappedKey: asText(row.wrapped_key),
    open: asNumber(row.open),
    openRuns: asNumber(row.open_runs),
    nextSlots: slotRows
      .parse(JSON.parse(asText(row.slots)))
      .map(([slot, text, isItem]) => ({ slot, text, isItem: isItem === 1 })),
    unreadSlot: asNumberOrNull(row.unread_slot),
    frame: asTextOrNull(row.frame),
  }
}

/** How an item of a step has ended. The result of its last attempt, encrypted or plain. */
export type SlotResult = Readonly<{
  slot: number
  isSuccess: boolean
  /** The result, or the error. */
  text: string
  /** The run of a subflow; null if a job did the work. */
  runId: string | null
}>

export type SlotResultsRequest = Readonly<{
  runId: string
  index: number
  /** Whether some of the items are subflow runs. */
  startsRuns: boolean
}>

/** Lists how the items of a step have ended, by index. A retried item has a row for each attempt, the last one last. */
export const listSlotResults = async (
  db: Database,
  { runId, index, startsRuns }: SlotResultsRequest,
): Promise<readonly SlotResult[]> => {
  const jobs = await db.all(
    sql`SELECT flow_slot AS slot, status = 'success' AS is_success, COALESCE(result, '{}') AS text, NULL AS run_id
       FROM jobs INDEXED BY jobs_by_flow
       WHERE flow_run_id = ${runId} AND flow_index = ${index} AND completed_at IS NOT NULL
       ORDER BY flow_slot, flow_attempt`,
  )
  const runs = startsRuns
    ? await db.all(
        sql`SELECT parent_slot AS slot, status = 'completed' AS is_success,
            COALESCE(result, error, '{}') AS text, id AS run_id
          FROM flow_runs INDEXED BY flow_runs_by_parent
          WHERE parent_run_id = ${runId} AND parent_index = ${index} AND completed_at IS NOT NULL`,
      )
    : []
  return [...jobs, ...runs].map((row) => ({
    slot: asNumber(row.slot),
    isSuccess: row.is_success === 1,
    text: asText(row.text),
    runId: asTextOrNull(row.run_id),
  }))
}

export type NewFlowRun = Pick<
  FlowRun,
  | 'ws'
  | 'id'
  | 'app'
  | 'flow'
  | 'deploymentId'
  | 'status'
  | 'triggerKind'
  | 'trigger'
  | 'input'
  | 'result'
  | 'error'
  | 'failure'
  | 'createdBy'
  | 'permissionedAs'
  | 'chainDepth'
  | 'holdsAppsWrite'
  | 'parentRunId'
  | 'parentIndex'
  | 'parentSlot'
  | 'depth'
  | 'restartedFrom'
  | 'stepIndex'
  | 'transition'
  | 'resultBytes'
  | 'slotBytes'
  | 'awaitsRoom'
> &
  Readonly<{ wait: Deadline | null; remindMs: number | null }>

const timeOf = (wait: Deadline | null): Statement => {
  if (wait === null) return raw('NULL')
  return 'at' in wait ? sql`${wait.at}` : sql`${SQL_NOW} + ${wait.afterMs}`
}

/** Inserts a run. Returns one row if it was inserted. */
export const insertFlowRun = (run: NewFlowRun, guard: Statement): Statement =>
  sql`INSERT INTO flow_runs (ws, id, app, flow, deployment_id, status, trigger_kind, trigger, input, result, error, failure,
       created_by, permissioned_as, chain_depth, holds_apps_write, parent_run_id, parent_index, parent_slot, depth, restarted_from,
       step_index, transition, wait_until, remind_at,
       result_bytes, slot_bytes, awaits_room, created_at, completed_at)
     SELECT ${run.ws}, ${run.id}, ${run.app}, ${run.flow}, ${run.deploymentId}, ${run.status}, ${run.triggerKind},
       ${run.trigger}, ${run.input}, ${run.result}, ${run.error}, ${run.failure},
       ${run.createdBy}, ${run.permissionedAs}, ${run.chainDepth}, ${run.holdsAppsWrite}, ${run.parentRunId}, ${run.parentIndex}, ${run.parentSlot}, ${run.depth},
       ${run.restartedFrom}, ${run.stepIndex}, ${run.transition}, ${timeOf(run.wait)}, ${SQL_NOW} + ${run.remindMs},
       ${run.resultBytes}, ${run.slotBytes}, ${run.awaitsRoom}, ${SQL_NOW},
       ${isRunOver(run.status) ? SQL_NOW : null}
     WHERE ${guard} ON CONFLICT DO NOTHING RETURNING id`

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

/** Returns whether a guard is true at this moment. */
export const holds = async (db: Database, guard: Statement): Promise<boolean> =>
  (await db.one(sql`SELECT ${guard} AS holds`))?.holds === 1

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

/** Finds what the jobs of a webhook's run get as ctx.trigger. Both values are encrypted. */
export const findRunTrigger = async (
  db: Database,
  ws: string,
  id: string,
): Promise<Readonly<{ input: string; trigger: string }> | null> => {
  const row = await db.one(
    sql`SELECT input, trigger FROM flow_runs WHERE ws = ${ws} AND id = ${id} AND trigger IS NOT NULL`,
  )
  return row === null ? null : { input: asText(row.input), trigger: asText(row.trigger) }
}
