/** Inserts jobs into the queue. */
import { SQL_NOW, type Statement, sql } from '../database.ts'

export type NewJob = Readonly<{
  id: string
  ws: string
  app: string
  action: string
  /** The deployment that the caller checked the job against; another current one inserts nothing. */
  deploymentId: string
  inputJson: string
  triggerJson: string | null
  /** Null: the override, else the manifest's tag, else the workspace's default. */
  tag: string | null
  manifestTag: string | null
  priority: number
  /** Milliseconds since 1970; null or past: now, so that nobody gets before those that wait. */
  runAt: number | null
  concurrency: Readonly<{ key: string; limit: number }> | null
  maxAttempts: number
  crashLimit: number
  /** The lowest level of isolation under which it may run, as a rank (core/isolation-level.ts). */
  minLevel: number
  triggerKind: string
  createdBy: string
  permissionedAs: string
  customerId: string | null
}>

/**
 * Two statements: the job (one row back, `{tag}`, when it was inserted) and its input. `apps` is the guard: nothing
 * is inserted when the app is gone or has another current deployment. Running them twice inserts once.
 * @param guard a further condition, for example that the idempotency key is this job's
 */
export const insertJob = (job: NewJob, guard: Statement = sql('1')): readonly Statement[] => [
  sql(
    `INSERT INTO jobs (
       id, ws, app, action, deployment_id, status, tag, priority, ready, run_at,
       concurrency_key, concurrency_limit, max_attempts, crash_limit, min_level,
       trigger_kind, created_by, permissioned_as, customer_id, created_at)
     SELECT ?, apps.ws, apps.key, ?, apps.deployment_id, 'queued',
       COALESCE(?,
         (SELECT tag FROM action_overrides o WHERE o.ws = apps.ws AND o.app = apps.key AND o.action = ?),
         ?,
         (SELECT default_tag FROM workspaces w WHERE w.id = apps.ws)),
       ?, CASE WHEN ? > ${SQL_NOW} THEN 0 ELSE 1 END, COALESCE(MAX(?, ${SQL_NOW}), ${SQL_NOW}),
       ?, ?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW}
     FROM apps WHERE apps.ws = ? AND apps.key = ? AND apps.deployment_id = ? AND ${guard.sql}
     ON CONFLICT DO NOTHING
     RETURNING tag`,
    job.id,
    job.action,
    job.tag,
    job.action,
    job.manifestTag,
    job.priority,
    job.runAt,
    job.runAt,
    job.concurrency?.key ?? null,
    job.concurrency?.limit ?? null,
    job.maxAttempts,
    job.crashLimit,
    job.minLevel,
    job.triggerKind,
    job.createdBy,
    job.permissionedAs,
    job.customerId,
    job.ws,
    job.app,
    job.deploymentId,
    ...guard.args,
  ),
  sql(
    'INSERT INTO job_inputs (job_id, input, trigger) SELECT ?, ?, ? WHERE changes() = 1',
    job.id,
    job.inputJson,
    job.triggerJson,
  ),
]

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
