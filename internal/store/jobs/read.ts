/** Reads single jobs. */
import { STRETCH } from '#core/job/attempt.ts'
import type { Progress } from '#core/job/progress-note.ts'
import { JOB_STATUSES, type JobStatus } from '#core/job/transitions.ts'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from '../column.ts'
import type { Database, Row } from '../database.ts'
import { identityName } from '../people/identity-name.ts'
import { raw, sql } from '../sql.ts'

/** What a suspended job waits for. */
export type Suspension = Readonly<{
  kind: 'sleep' | 'event' | 'job'
  /** The name of the step. */
  name: string
  /** Latest end of the wait; null for a called job. */
  until: number | null
}>

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
  /** Null if the creator is a name itself or was deleted. */
  createdByName: string | null
  permissionedAs: string
  customerId: string | null
  flowRunId: string | null
  flowStep: string | null
  /** The job that this one replays. */
  replayOf: string | null
  progress: Progress | null
  worker: string | null
  deploymentId: string
  commit: string
  entrypoint: string
  createdAt: number
  scheduledFor: number
  startedAt: number | null
  completedAt: number | null
  /** Milliseconds that the last attempt ran, without suspensions; null until the job has ended. */
  durationMs: number | null
  /** What a suspended job waits for; null if it is not suspended. */
  suspended: Suspension | null
  /** When and by whom the failure was dismissed; null if it was not. */
  dismissedAt: number | null
  dismissedBy: string | null
}>

/** Reads a stored status. @throws {Error} the state table does not have it */
export const toStatus = (value: string): JobStatus => {
  const status = JOB_STATUSES.find((known) => known === value)
  if (status === undefined) throw new Error(`Unknown job status ${value} in the database.`)
  return status
}

// these columns are stored after the result, which may be large, so the row is read that far only for queued jobs
const IS_SUSPENDED = `jobs.status = 'queued' AND jobs.ready = 0`
const SUSPENSION = ['kind', 'name', 'until']
  .map(
    (field) => `CASE WHEN ${IS_SUSPENDED} THEN jobs.suspended_${field} END AS suspended_${field}`,
  )
  .join(', ')

const DISMISSAL = ['dismissed_at', 'dismissed_by']
  .map(
    (column) =>
      `CASE WHEN jobs.status = 'failure' THEN (SELECT m.${column} FROM job_dismissals m WHERE m.ws = jobs.ws AND m.job_id = jobs.id) END AS ${column}`,
  )
  .join(', ')

// from the ledger, because the columns of `jobs` that are stored after the result are expensive to read
const DURATION = `CASE WHEN jobs.completed_at IS NOT NULL THEN (SELECT l.duration_ms FROM ledger l WHERE l.job_id = jobs.id) END AS duration_ms`

const CREATOR_NAME = identityName('jobs.created_by', 'jobs.ws').sql

export const JOB_COLUMNS = `jobs.id, jobs.ws, jobs.app, jobs.action, jobs.status, jobs.tag, jobs.priority,
  jobs.attempt % ${STRETCH} AS attempt,  jobs.max_attempts, jobs.trigger_kind, jobs.created_by, ${CREATOR_NAME} AS created_by_name, jobs.permissioned_as, jobs.customer_id,
  jobs.flow_run_id, jobs.flow_step, jobs.replay_of, jobs.progress_fraction, jobs.progress_note, jobs.worker, jobs.created_at, jobs.run_at, jobs.started_at,
  jobs.completed_at, ${DURATION}, ${SUSPENSION}, ${DISMISSAL}, d.id AS deployment_id, d.commit_id, a.entrypoint`

export const JOB_TABLES = `jobs
  JOIN deployments d ON d.id = jobs.deployment_id
  JOIN deployment_actions a ON a.deployment_id = jobs.deployment_id AND a.key = jobs.action`

const toSuspension = (row: Row): Suspension | null => {
  const kind = row.suspended_kind
  if (kind !== 'sleep' && kind !== 'event' && kind !== 'job') return null
  return {
    kind,
    name: asText(row.suspended_name),
    until: asNumberOrNull(row.suspended_until),
  }
}

/** Reads a row of `JOB_COLUMNS`. */
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
  createdByName: asTextOrNull(row.created_by_name),
  permissionedAs: asText(row.permissioned_as),
  customerId: asTextOrNull(row.customer_id),
  flowRunId: asTextOrNull(row.flow_run_id),
  flowStep: asTextOrNull(row.flow_step),
  replayOf: asTextOrNull(row.replay_of),
  progress: toProgress(row),
  worker: asTextOrNull(row.worker),
  deploymentId: asText(row.deployment_id),
  commit: asText(row.commit_id),
  entrypoint: asText(row.entrypoint),
  createdAt: asNumber(row.created_at),
  scheduledFor: asNumber(row.run_at),
  startedAt: asNumberOrNull(row.started_at),
  completedAt: asNumberOrNull(row.completed_at),
  durationMs: asNumberOrNull(row.duration_ms),
  suspended: toSuspension(row),
  dismissedAt: asNumberOrNull(row.dismissed_at),
  dismissedBy: asTextOrNull(row.dismissed_by),
})

/** Reads the progress of a job; null if it has reported none. */
const toProgress = (row: Row): Progress | null => {
  const fraction = asNumberOrNull(row.progress_fraction)
  return fraction === null ? null : { fraction, note: asTextOrNull(row.progress_note) }
}

/** Finds a job of the workspace. */
export const findJob = async (db: Database, ws: string, id: string): Promise<Job | null> => {
  const row = await db.one(
    sql`SELECT ${raw(JOB_COLUMNS)} FROM ${raw(JOB_TABLES)} WHERE jobs.ws = ${ws} AND jobs.id = ${id}`,
  )
  return row === null ? null : toJob(row)
}

/** The place in its run that the texts of a flow's job are encrypted for, and the key (service/flows/open-job.ts). */
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
    /** Null until the job has ended. */
    resultJson: string | null
  }>

/** Finds a job with its input and result, which may be large. */
export const findJobDetail = async (
  db: Database,
  ws: string,
  id: string,
): Promise<JobDetail | null> => {
  const row = await db.one(
    sql`SELECT ${raw(JOB_COLUMNS)}, ${raw(SEALED_COLUMNS)}, jobs.result, (SELECT input FROM job_inputs i WHERE i.job_id = jobs.id) AS input
       FROM ${raw(JOB_TABLES)} WHERE jobs.ws = ${ws} AND jobs.id = ${id}`,
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

/** The small read for results and for requests that wait for them. */
export const findJobResult = async (
  db: Database,
  ws: string,
  id: string,
): Promise<JobResult | null> => {
  const row = await db.one(
    sql`SELECT status, created_by, customer_id, result, ${raw(SEALED_COLUMNS)} FROM jobs WHERE ws = ${ws} AND id = ${id}`,
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

/** What a replay takes from a job. */
export type ReplaySource = Readonly<{
  ws: string
  id: string
  app: string
  action: string
  deploymentId: string
  status: JobStatus
  tag: string
  priority: number
  triggerKind: string
  createdBy: string
  sealed: SealedAt | null
  inputJson: string | null
  triggerJson: string | null
}>

export const findReplaySource = async (
  db: Database,
  ws: string,
  id: string,
): Promise<ReplaySource | null> => {
  const row = await db.one(
    sql`SELECT app, action, deployment_id, status, tag, priority, trigger_kind, created_by, ${raw(SEALED_COLUMNS)},
        (SELECT input FROM job_inputs i WHERE i.job_id = jobs.id) AS input,
        (SELECT trigger FROM job_inputs i WHERE i.job_id = jobs.id) AS trigger
      FROM jobs WHERE ws = ${ws} AND id = ${id}`,
  )
  if (row === null) return null
  return {
    ws,
    id,
    app: asText(row.app),
    action: asText(row.action),
    deploymentId: asText(row.deployment_id),
    status: toStatus(asText(row.status)),
    tag: asText(row.tag),
    priority: asNumber(row.priority),
    triggerKind: asText(row.trigger_kind),
    createdBy: asText(row.created_by),
    sealed: toSealedAt(row),
    inputJson: asTextOrNull(row.input),
    triggerJson: asTextOrNull(row.trigger),
  }
}

export type JobInput = Readonly<{ inputJson: string; triggerJson: string | null }>

/** Finds the input and trigger that a job outside of flows was queued with, or null. */
export const findJobInput = async (
  db: Database,
  ws: string,
  id: string,
): Promise<JobInput | null> => {
  const row = await db.one(
    sql`SELECT i.input, i.trigger FROM jobs j JOIN job_inputs i ON i.job_id = j.id
      WHERE j.ws = ${ws} AND j.id = ${id} AND j.flow_run_id IS NULL`,
  )
  return row === null
    ? null
    : { inputJson: asText(row.input), triggerJson: asTextOrNull(row.trigger) }
}

/** The small read that the job's event stream repeats. */
export const findJobProgress = async (
  db: Database,
  ws: string,
  id: string,
): Promise<Pick<Job, 'status' | 'attempt' | 'progress'> | null> => {
  const row = await db.one(
    sql`SELECT status, attempt % ${STRETCH} AS attempt, progress_fraction, progress_note FROM jobs WHERE ws = ${ws} AND id = ${id}`,
  )
  return row === null
    ? null
    : {
        status: toStatus(asText(row.status)),
        attempt: asNumber(row.attempt),
        progress: toProgress(row),
      }
}

/** Finds the tag of a job; null if there is no such job. */
export const findJobTag = async (db: Database, ws: string, id: string): Promise<string | null> => {
  const row = await db.one(sql`SELECT tag FROM jobs WHERE ws = ${ws} AND id = ${id}`)
  return row === null ? null : asText(row.tag)
}
