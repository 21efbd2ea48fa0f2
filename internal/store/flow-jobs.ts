/** A flow's children as jobs: made, and ended. Each statement belongs to a transition of the run, whose guard it carries. */
import type { JobStatus, TerminalStatus } from '#core/job.ts'
import { asNumber, asNumberOrNull, asText } from './column.ts'
import { type Database, type Reader, SQL_NOW, type Statement, sql } from './database.ts'
import { type ClaimedFlow, type Held, type NewJob, toClaimedFlow } from './job-queue.ts'
import { insertLedgerRow, toStatus } from './jobs.ts'

/** Which part of which run a job does. */
export type FlowJob = Readonly<{
  runId: string
  /** The step's key. */
  step: string
  index: number
  slot: number
  /** Of the slot, counted by the flow. */
  attempt: number
  delayMs: number
}>

/** A child of a flow run: pinned to the run's deployment, whatever is deployed now. `{tag}` comes back. */
export const insertFlowJob = (
  { job, flow, context }: Readonly<{ job: NewJob; flow: FlowJob; context: string }>,
  guard: Statement,
): readonly Statement[] => [
  sql(
    `INSERT INTO jobs (
       id, ws, app, action, deployment_id, status, tag, priority, ready, run_at,
       concurrency_key, concurrency_limit, max_attempts, crash_limit, min_level,
       trigger_kind, created_by, permissioned_as, created_at,
       flow_run_id, flow_step, flow_index, flow_slot, flow_attempt)
     SELECT ?, w.id, ?, ?, ?, 'queued',
       COALESCE(
         (SELECT tag FROM action_overrides o WHERE o.ws = w.id AND o.app = ? AND o.action = ?), ?, w.default_tag),
       0, CASE WHEN ? > 0 THEN 0 ELSE 1 END, ${SQL_NOW} + ?, ?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW}, ?, ?, ?, ?, ?
     FROM workspaces w WHERE w.id = ? AND ${guard.sql}
     ON CONFLICT DO NOTHING
     RETURNING tag`,
    job.id,
    job.app,
    job.action,
    job.deploymentId,
    job.app,
    job.action,
    job.manifestTag,
    flow.delayMs,
    flow.delayMs,
    job.concurrency?.key ?? null,
    job.concurrency?.limit ?? null,
    job.maxAttempts,
    job.crashLimit,
    job.minLevel,
    job.triggerKind,
    job.createdBy,
    job.permissionedAs,
    flow.runId,
    flow.step,
    flow.index,
    flow.slot,
    flow.attempt,
    job.ws,
    ...guard.args,
  ),
  sql(
    'INSERT INTO job_inputs (job_id, input, flow) SELECT ?, ?, ? WHERE changes() = 1',
    job.id,
    job.inputJson,
    context,
  ),
]

/** A guard: this attempt holds the job. @param isCanceled whether somebody has asked to cancel it */
export const isHeld = ({ ws, id, attempt }: Held, isCanceled: boolean): Statement =>
  sql(
    `EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ? AND j.id = ? AND j.attempt = ? AND j.status = 'running'
       AND (j.cancel_by IS NOT NULL) = ?)`,
    ws,
    id,
    attempt,
    isCanceled ? 1 : 0,
  )

/** A guard: the job's worker is lost, and nothing has changed since it was looked at. */
export const isLost = (
  { ws, id, attempt }: Held,
  { crashes, isCanceled }: Readonly<{ crashes: number; isCanceled: boolean }>,
): Statement =>
  sql(
    `EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ? AND j.id = ? AND j.attempt = ? AND j.status = 'running'
       AND j.lease_until < ${SQL_NOW} AND j.crash_count = ? AND (j.cancel_by IS NOT NULL) = ?)`,
    ws,
    id,
    attempt,
    crashes,
    isCanceled ? 1 : 0,
  )

/** A guard: the job waits. */
export const isQueued = (ws: string, id: string): Statement =>
  sql("EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ? AND j.id = ? AND j.status = 'queued')", ws, id)

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

export const cancelQueuedFlowJob = (
  { ws, id, by, reason }: Readonly<{ ws: string; id: string; by: string; reason: string }>,
  guard: Statement,
): readonly Statement[] => [
  sql(
    `UPDATE jobs SET status = 'canceled', cancel_by = ?, cancel_reason = ?, completed_at = ${SQL_NOW},
       result = json_object('name', 'Canceled', 'message', ?)
     WHERE ws = ? AND id = ? AND status = 'queued' AND ${guard.sql}`,
    by,
    reason,
    reason,
    ws,
    id,
    ...guard.args,
  ),
  insertLedgerRow({ ws, id }),
]

export type FlowChild = Readonly<{ flow: ClaimedFlow; input: string; cancelReason: string | null }>

/** Null: it is no child of a flow. */
export const findFlowChild = async (
  db: Database,
  ws: string,
  id: string,
): Promise<FlowChild | null> => {
  const row = await db.one(
    sql(
      `SELECT flow_run_id, flow_index, flow_slot, flow_attempt, cancel_reason, i.flow, i.input
       FROM jobs JOIN job_inputs i ON i.job_id = jobs.id WHERE jobs.ws = ? AND jobs.id = ?`,
      ws,
      id,
    ),
  )
  const flow = row === null ? null : toClaimedFlow(row)
  if (row === null || flow === null) return null
  const reason = row.cancel_reason
  return {
    flow,
    input: asText(row.input),
    cancelReason: typeof reason === 'string' ? reason : null,
  }
}

/** A step's child as its run shows it. */
export type StepJob = Readonly<{
  id: string
  index: number
  slot: number
  attempt: number
  status: JobStatus
  createdAt: number
  startedAt: number | null
}>

/** All jobs of a run, by step, slot and try. */
export const listRunJobs = async (db: Reader, runId: string): Promise<readonly StepJob[]> => {
  const rows = await db.all(
    sql(
      `SELECT id, flow_index, flow_slot, flow_attempt, status, created_at, started_at
       FROM jobs INDEXED BY jobs_by_flow
       WHERE flow_run_id = ? ORDER BY flow_index, flow_slot, flow_attempt`,
      runId,
    ),
  )
  return rows.map((row) => ({
    id: asText(row.id),
    index: asNumber(row.flow_index),
    slot: asNumber(row.flow_slot),
    attempt: asNumber(row.flow_attempt),
    status: toStatus(asText(row.status)),
    createdAt: asNumber(row.created_at),
    startedAt: asNumberOrNull(row.started_at),
  }))
}

/** Runs of subflows that a run has started, by step. */
export const listChildRuns = async (
  db: Reader,
  runId: string,
): Promise<readonly Readonly<{ id: string; index: number }>[]> => {
  const rows = await db.all(
    sql(
      `SELECT id, parent_index FROM flow_runs INDEXED BY flow_runs_by_parent
       WHERE parent_run_id = ? ORDER BY parent_index`,
      runId,
    ),
  )
  return rows.map((row) => ({ id: asText(row.id), index: asNumber(row.parent_index) }))
}
