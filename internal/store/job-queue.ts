/**
 * The queue: statements that put a job in, renew its lease and take it back; claim.ts hands it to a worker. The partial
 * indexes of `jobs` are the queue. Time is the database's alone.
 */
import type { JobStatus } from '#core/job.ts'
import { asNumber, asText } from './column.ts'
import { type Row, SQL_NOW, type Statement, sql } from './database.ts'

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

/** A guard: the job has failed, is no error handler's own, and no flow answers for it. */
export const failedUnhandled = ({ ws, id }: Pick<Held, 'ws' | 'id'>): Statement =>
  sql(
    `EXISTS (SELECT 1 FROM jobs failed WHERE failed.ws = ? AND failed.id = ? AND failed.status = 'failure'
       AND failed.flow_run_id IS NULL AND failed.created_by NOT GLOB 'error_handler:*')`,
    ws,
    id,
  )

/** What a worker gets with a claim; the encrypted texts are decrypted by the service. */
export type ClaimedJob = Readonly<{
  id: string
  ws: string
  app: string
  action: string
  deploymentId: string
  attempt: number
  maxAttempts: number
  failureCount: number
  triggerKind: string
  triggerJson: string | null
  inputJson: string
  /** `[[key, ciphertext], …]` */
  variablesJson: string
  resourcesJson: string
  wrappedKey: string
  priority: number
  runAt: number
  /** Of a flow's child. */
  flow: ClaimedFlow | null
}>

export type ClaimedFlow = Readonly<{
  runId: string
  index: number
  slot: number
  attempt: number
  /** What ctx tells of the run, encrypted as the input is. */
  context: string
}>

export const toClaimedFlow = (row: Row): ClaimedFlow | null =>
  row.flow_run_id === null
    ? null
    : {
        runId: asText(row.flow_run_id),
        index: asNumber(row.flow_index),
        slot: asNumber(row.flow_slot),
        attempt: asNumber(row.flow_attempt),
        context: asText(row.flow),
      }

/** A job and the attempt that its worker was given. */
export type Held = Readonly<{ ws: string; id: string; attempt: number }>

/**
 * One statement for all jobs of a worker. A held job that does not come back was lost: another attempt has it, or it
 * ended. `cancel_by` says that somebody asked to cancel it.
 */
export const renewLeases = (held: readonly Held[], leaseMs: number): Statement =>
  sql(
    `WITH held (ws, id, attempt) AS (
       SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
     )
     UPDATE jobs SET lease_until = ${SQL_NOW} + ?
     FROM held
     WHERE jobs.ws = held.ws AND jobs.id = held.id AND jobs.attempt = held.attempt
       AND jobs.status = 'running'
     RETURNING jobs.id, jobs.attempt, jobs.cancel_by IS NOT NULL AS canceled`,
    JSON.stringify(held.map((job) => [job.ws, job.id, job.attempt])),
    leaseMs,
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

/**
 * Running jobs whose lease has run out, oldest first.
 * @param asOf a reading of the clock that was judged: what a jump since then has ended is left alone. Null: now
 */
export const findLostJobs = (limit: number, asOf: number | null): Statement =>
  sql(
    `SELECT id, ws, app, action, attempt, crash_count, crash_limit, cancel_by, cancel_reason,
       flow_run_id, flow_index, flow_slot, flow_attempt,
       (SELECT flow FROM job_inputs i WHERE i.job_id = jobs.id) AS flow
     FROM jobs INDEXED BY jobs_leased
     WHERE status = 'running' AND lease_until < min(COALESCE(?, ${SQL_NOW}), ${SQL_NOW})
     ORDER BY lease_until LIMIT ?`,
    asOf,
    limit,
  )

/**
 * Takes one job from its lost worker: canceled when somebody asked for that, failed when it was lost too often, else
 * queued again. Guarded by the attempt and by the lease, so a worker that renewed in time keeps it.
 * @param guard a further condition, for example that a flow's transition is this one
 */
export const rescueJob = (held: Held, failure: string, guard: Statement = sql('1')): Statement =>
  sql(
    `UPDATE jobs SET
       status = CASE WHEN cancel_by IS NOT NULL THEN 'canceled'
         WHEN crash_count + 1 >= crash_limit THEN 'failure' ELSE 'queued' END,
       result = CASE WHEN cancel_by IS NOT NULL
           THEN json_object('name', 'Canceled', 'message', cancel_reason)
         WHEN crash_count + 1 >= crash_limit THEN ? END,
       completed_at = CASE WHEN cancel_by IS NOT NULL OR crash_count + 1 >= crash_limit
         THEN ${SQL_NOW} END,
       started_at = CASE WHEN cancel_by IS NOT NULL OR crash_count + 1 >= crash_limit
         THEN started_at END,
       worker = CASE WHEN cancel_by IS NOT NULL OR crash_count + 1 >= crash_limit THEN worker END,
       crash_count = crash_count + 1, ready = 1, lease_until = NULL, claim_id = NULL
     WHERE ws = ? AND id = ? AND attempt = ? AND status = 'running' AND lease_until < ${SQL_NOW} AND ${guard.sql}
     RETURNING status, tag`,
    failure,
    held.ws,
    held.id,
    held.attempt,
    ...guard.args,
  )

export type RescuedJob = Readonly<{ status: JobStatus; tag: string }>
