/** Jobs as they are read, ended and canceled. The queue's own statements stand in job-queue.ts. */
import { JOB_STATUSES, type JobStatus, type TerminalStatus } from '#core/job.ts'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'
import type { Held } from './job-queue.ts'

export type Job = Readonly<{
  id: string
  ws: string
  app: string
  action: string
  status: JobStatus
  tag: string
  priority: number
  attempt: number
  maxAttempts: number
  triggerKind: string
  createdBy: string
  permissionedAs: string
  customerId: string | null
  flowRunId: string | null
  flowStep: string | null
  worker: string | null
  commit: string
  entrypoint: string
  createdAt: number
  scheduledFor: number
  startedAt: number | null
  completedAt: number | null
}>

export const toStatus = (value: string): JobStatus => {
  const status = JOB_STATUSES.find((known) => known === value)
  if (status === undefined) throw new Error(`Unknown job status ${value} in the database.`)
  return status
}

export const JOB_COLUMNS = `jobs.id, jobs.ws, jobs.app, jobs.action, jobs.status, jobs.tag, jobs.priority, jobs.attempt,
  jobs.max_attempts, jobs.trigger_kind, jobs.created_by, jobs.permissioned_as, jobs.customer_id,
  jobs.flow_run_id, jobs.flow_step, jobs.worker, jobs.created_at, jobs.run_at, jobs.started_at,
  jobs.completed_at, d.commit_id, a.entrypoint`

export const JOB_TABLES = `jobs
  JOIN deployments d ON d.id = jobs.deployment_id
  JOIN deployment_actions a ON a.deployment_id = jobs.deployment_id AND a.key = jobs.action`

export const toJob = (row: Row): Job => ({
  id: asText(row.id),
  ws: asText(row.ws),
  app: asText(row.app),
  action: asText(row.action),
  status: toStatus(asText(row.status)),
  tag: asText(row.tag),
  priority: asNumber(row.priority),
  attempt: asNumber(row.attempt),
  maxAttempts: asNumber(row.max_attempts),
  triggerKind: asText(row.trigger_kind),
  createdBy: asText(row.created_by),
  permissionedAs: asText(row.permissioned_as),
  customerId: asTextOrNull(row.customer_id),
  flowRunId: asTextOrNull(row.flow_run_id),
  flowStep: asTextOrNull(row.flow_step),
  worker: asTextOrNull(row.worker),
  commit: asText(row.commit_id),
  entrypoint: asText(row.entrypoint),
  createdAt: asNumber(row.created_at),
  scheduledFor: asNumber(row.run_at),
  startedAt: asNumberOrNull(row.started_at),
  completedAt: asNumberOrNull(row.completed_at),
})

export const findJob = async (db: Database, ws: string, id: string): Promise<Job | null> => {
  const row = await db.one(
    sql(`SELECT ${JOB_COLUMNS} FROM ${JOB_TABLES} WHERE jobs.ws = ? AND jobs.id = ?`, ws, id),
  )
  return row === null ? null : toJob(row)
}

/** Where the texts of a flow's child are bound to, and the key that opens them (service/flows/open-job.ts). */
export type SealedAt = Readonly<{ runId: string; index: number; slot: number; wrappedKey: string }>

const SEALED_COLUMNS = `jobs.flow_run_id, jobs.flow_index, jobs.flow_slot,
  CASE WHEN jobs.flow_run_id IS NULL THEN NULL ELSE (SELECT wrapped_key FROM workspaces w WHERE w.id = jobs.ws) END AS wrapped_key`

const toSealedAt = (row: Row): SealedAt | null =>
  row.flow_run_id === null
    ? null
    : {
        runId: asText(row.flow_run_id),
        index: asNumber(row.flow_index),
        slot: asNumber(row.flow_slot),
        wrappedKey: asText(row.wrapped_key),
      }

export type JobDetail = Job &
  Readonly<{
    sealed: SealedAt | null
    inputJson: string | null
    /** Null until it ended. */
    resultJson: string | null
  }>

/** With what may be large. */
export const findJobDetail = async (
  db: Database,
  ws: string,
  id: string,
): Promise<JobDetail | null> => {
  const row = await db.one(
    sql(
      `SELECT ${JOB_COLUMNS}, ${SEALED_COLUMNS}, jobs.result, (SELECT input FROM job_inputs i WHERE i.job_id = jobs.id) AS input
       FROM ${JOB_TABLES} WHERE jobs.ws = ? AND jobs.id = ?`,
      ws,
      id,
    ),
  )
  if (row === null) return null
  return {
    ...toJob(row),
    sealed: toSealedAt(row),
    inputJson: asTextOrNull(row.input),
    resultJson: asTextOrNull(row.result),
  }
}

export type JobResult = Readonly<{
  ws: string
  sealed: SealedAt | null
  status: JobStatus
  createdBy: string
  customerId: string | null
  resultJson: string | null
}>

/** The narrow read behind result and run-and-wait. */
export const findJobResult = async (
  db: Database,
  ws: string,
  id: string,
): Promise<JobResult | null> => {
  const row = await db.one(
    sql(
      `SELECT status, created_by, customer_id, result, ${SEALED_COLUMNS} FROM jobs WHERE ws = ? AND id = ?`,
      ws,
      id,
    ),
  )
  if (row === null) return null
  return {
    ws,
    sealed: toSealedAt(row),
    status: toStatus(asText(row.status)),
    createdBy: asText(row.created_by),
    customerId: asTextOrNull(row.customer_id),
    resultJson: asTextOrNull(row.result),
  }
}

/** The narrow read behind the job's events. */
export const findJobProgress = async (
  db: Database,
  ws: string,
  id: string,
): Promise<Pick<Job, 'status' | 'attempt'> | null> => {
  const row = await db.one(sql('SELECT status, attempt FROM jobs WHERE ws = ? AND id = ?', ws, id))
  return row === null
    ? null
    : { status: toStatus(asText(row.status)), attempt: asNumber(row.attempt) }
}

/** The tag under which a job waits, or null when there is no such job. */
export const findJobTag = async (db: Database, ws: string, id: string): Promise<string | null> => {
  const row = await db.one(sql('SELECT tag FROM jobs WHERE ws = ? AND id = ?', ws, id))
  return row === null ? null : asText(row.tag)
}

/** The status of the job while `held` is its newest attempt, else null. */
export const findAttemptStatus = async (db: Database, held: Held): Promise<JobStatus | null> => {
  const row = await db.one(
    sql(
      'SELECT status FROM jobs WHERE ws = ? AND id = ? AND attempt = ?',
      held.ws,
      held.id,
      held.attempt,
    ),
  )
  return row === null ? null : toStatus(asText(row.status))
}

/** Whether this attempt holds the job and its lease. */
export const isAttemptRunning = async (db: Database, held: Held): Promise<boolean> =>
  (await db.one(
    sql(
      `SELECT 1 FROM jobs
       WHERE ws = ? AND id = ? AND attempt = ? AND status = 'running' AND lease_until > ${SQL_NOW}`,
      held.ws,
      held.id,
      held.attempt,
    ),
  )) !== null

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

const LEDGER_COLUMNS = 'job_id, ws, customer_id, app, action, outcome, duration_ms, completed_at'
const LEDGER_VALUES = `jobs.id, jobs.ws, jobs.customer_id, jobs.app, jobs.action, jobs.status,
  MAX(jobs.completed_at - COALESCE(jobs.started_at, jobs.completed_at), 0), jobs.completed_at`

/** Must stand right behind the update that ended the job: it writes only when that changed a row. */
export const insertLedgerRow = ({ ws, id }: Pick<Held, 'ws' | 'id'>): Statement =>
  sql(
    `INSERT INTO ledger (${LEDGER_COLUMNS}) SELECT ${LEDGER_VALUES}
     FROM jobs WHERE ws = ? AND id = ? AND completed_at IS NOT NULL AND changes() = 1
     ON CONFLICT (job_id) DO NOTHING`,
    ws,
    id,
  )

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

export type CancelRequest = Readonly<{ ws: string; id: string; by: string; reason: string }>

/** Three statements: end it when it is queued (with its billing row), else mark it when it runs. */
export const cancelJob = ({ ws, id, by, reason }: CancelRequest): readonly Statement[] => [
  sql(
    `UPDATE jobs SET status = 'canceled', cancel_by = ?, cancel_reason = ?, completed_at = ${SQL_NOW},
       result = json_object('name', 'Canceled', 'message', ?)
     WHERE ws = ? AND id = ? AND status = 'queued'`,
    by,
    reason,
    reason,
    ws,
    id,
  ),
  insertLedgerRow({ ws, id }),
  sql(
    `UPDATE jobs SET cancel_by = ?, cancel_reason = ?
     WHERE ws = ? AND id = ? AND status = 'running' AND cancel_by IS NULL`,
    by,
    reason,
    ws,
    id,
  ),
]

/** Due at once, under `tag` if given. */
export const requeueJob = ({
  ws,
  id,
  tag,
}: Readonly<{ ws: string; id: string; tag: string | null }>): Statement =>
  sql(
    `UPDATE jobs SET tag = COALESCE(?, tag), ready = 1, blocked = 0, run_at = MIN(run_at, ${SQL_NOW})
     WHERE ws = ? AND id = ? AND status = 'queued'`,
    tag,
    ws,
    id,
  )
