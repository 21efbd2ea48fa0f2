/** Reads single jobs. */
import { WAIT_KINDS, type WaitKind } from '#core/durable/step.ts'
import { STRETCH } from '#core/job/attempt.ts'
import type { Progress } from '#core/job/progress-note.ts'
import { JOB_STATUSES } from '#core/job/transitions.ts'
import { readTriggerKind } from '#core/job/trigger-kind.ts'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from '../column.ts'
import type { Database, Row, Statement } from '../database.ts'
import { identityName } from '../people/identity-name.ts'
import { number, oneOf, parsed, type RowOf, row, text, texts, time } from '../row.ts'
import { listed, raw, sql } from '../sql.ts'
import { LABELS_OF_JOB } from './labels.ts'

/** What a suspended job waits for. */
export type Suspension = Readonly<{
  kind: WaitKind
  /** The name of the step. */
  name: string
  /** Latest end of the wait; null for a called job. */
  until: number | null
}>

export const jobStatus = oneOf(JOB_STATUSES)

const ATTEMPT = raw(`jobs.attempt % ${STRETCH}`)

const dismissal = (column: string): Statement =>
  raw(
    `CASE WHEN jobs.status = 'failure' THEN (SELECT m.${column} FROM job_dismissals m WHERE m.ws = jobs.ws AND m.job_id = jobs.id) END`,
  )

// from the ledger, because the columns of `jobs` that are stored after the result are expensive to read
const DURATION = raw(
  'CASE WHEN jobs.completed_at IS NOT NULL THEN (SELECT l.duration_ms FROM ledger l WHERE l.job_id = jobs.id) END',
)

const FLOW = raw(
  'CASE WHEN jobs.flow_run_id IS NOT NULL THEN (SELECT r.flow FROM flow_runs r WHERE r.ws = jobs.ws AND r.id = jobs.flow_run_id) END',
)

const jobRow = row({
  id: text,
  ws: text,
  app: text,
  action: text,
  status: jobStatus,
  tag: text,
  priority: number,
  attempt: number(ATTEMPT),
  maxAttempts: number,
  triggerKind: parsed(readTriggerKind),
  createdBy: text,
  /** Null if the creator is a name itself or was deleted. */
  createdByName: text.nullable(identityName('jobs.created_by', 'jobs.ws')),
  permissionedAs: text,
  customerId: text.nullable,
  flowRunId: text.nullable,
  /** The key of that run's flow; null if the run was deleted. */
  flow: text.nullable(FLOW),
  flowStep: text.nullable,
  /** The job that this one replays. */
  replayOf: text.nullable,
  worker: text.nullable,
  deploymentId: text(raw('d.id')),
  commit: text('d.commit_id'),
  entrypoint: text('a.entrypoint'),
  createdAt: time,
  scheduledFor: time('run_at'),
  /** The latest start, if its action has a start timeout. */
  startBy: time.nullable,
  startedAt: time.nullable,
  completedAt: time.nullable,
  /** Milliseconds that the last attempt ran, without suspensions; null until the job has ended. */
  durationMs: number.nullable(DURATION),
  /** When and by whom the failure was dismissed; null if it was not. */
  dismissedAt: time.nullable(dismissal('dismissed_at')),
  dismissedBy: text.nullable(dismissal('dismissed_by')),
  labels: texts(LABELS_OF_JOB),
})

export type Job = RowOf<typeof jobRow> &
  Readonly<{
    /** Null if the job has reported none. */
    progress: Progress | null
    /** Null if the job is not suspended. */
    suspended: Suspension | null
  }>

const PROGRESS = 'jobs.progress_fraction, jobs.progress_note'

// these columns are stored after the result, which may be large, so the row is read that far only for queued jobs
const SUSPENSION = ['kind', 'name', 'until']
  .map(
    (field) =>
      `CASE WHEN jobs.status = 'queued' AND jobs.ready = 0 THEN jobs.suspended_${field} END AS suspended_${field}`,
  )
  .join(', ')

/** Columns of `JOB_TABLES` for `toJob`. */
export const JOB_COLUMNS = sql`${jobRow.columns('jobs')}, ${raw(PROGRESS)}, ${raw(SUSPENSION)}`

export const JOB_TABLES = `jobs
  JOIN deployments d ON d.id = jobs.deployment_id
  JOIN deployment_actions a ON a.deployment_id = jobs.deployment_id AND a.key = jobs.action`

const toProgress = (found: Row): Progress | null => {
  const fraction = asNumberOrNull(found.progress_fraction)
  return fraction === null ? null : { fraction, note: asTextOrNull(found.progress_note) }
}

const toSuspension = (found: Row): Suspension | null => {
  const kind = WAIT_KINDS.find((each) => each === found.suspended_kind)
  if (kind === undefined) return null
  return {
    kind,
    name: asText(found.suspended_name),
    until: asNumberOrNull(found.suspended_until),
  }
}

/** Reads a row of `JOB_COLUMNS`. */
export const toJob = (found: Row): Job => ({
  ...jobRow.read(found),
  progress: toProgress(found),
  suspended: toSuspension(found),
})

/** Finds a job of the workspace. */
export const findJob = async (db: Database, ws: string, id: string): Promise<Job | null> => {
  const found = await db.one(
    sql`SELECT ${JOB_COLUMNS} FROM ${raw(JOB_TABLES)} WHERE jobs.ws = ${ws} AND jobs.id = ${id}`,
  )
  return found === null ? null : toJob(found)
}

/** The place in its run that the texts of a flow's job are encrypted for, and the key (service/flows/open-job.ts). */
export type SealedAt = Readonly<{ runId: string; index: number; slot: number; wrappedKey: string }>

export const SEALED_COLUMNS = raw(`jobs.flow_run_id, jobs.flow_index, jobs.flow_slot,
  CASE WHEN jobs.flow_run_id IS NULL THEN NULL ELSE (SELECT wrapped_key FROM workspaces w WHERE w.id = jobs.ws) END AS wrapped_key`)

/** Reads `SEALED_COLUMNS`. */
export const toSealedAt = (found: Row): SealedAt | null =>
  found.flow_run_id === null
    ? null
    : {
        runId: asText(found.flow_run_id),
        index: asNumber(found.flow_index),
        slot: asNumber(found.flow_slot),
        wrappedKey: asText(found.wrapped_key),
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
  const found = await db.one(
    sql`SELECT ${JOB_COLUMNS}, ${SEALED_COLUMNS}, jobs.result, (SELECT input FROM job_inputs i WHERE i.job_id = jobs.id) AS input
       FROM ${raw(JOB_TABLES)} WHERE jobs.ws = ${ws} AND jobs.id = ${id}`,
  )
  if (found === null) return null
  return {
    ...toJob(found),
    sealed: toSealedAt(found),
    inputJson: asTextOrNull(found.input),
    resultJson: asTextOrNull(found.result),
  }
}

const head = {
  ws: text,
  status: jobStatus,
  createdBy: text,
  permissionedAs: text,
  customerId: text.nullable,
}
const headRow = row({ ...head, cancelBy: text.nullable })
const resultRow = row({ ...head, resultJson: text.nullable('result') })

export type JobHead = RowOf<typeof headRow> & Readonly<{ sealed: SealedAt | null }>
export type JobResult = RowOf<typeof resultRow> & Readonly<{ sealed: SealedAt | null }>

/** Finds the status of a job and whose it is, without the result, which may have megabytes. */
export const findJobHead = async (
  db: Database,
  ws: string,
  id: string,
): Promise<JobHead | null> => {
  const found = await db.one(
    sql`SELECT ${headRow.columns()}, ${SEALED_COLUMNS} FROM jobs WHERE ws = ${ws} AND id = ${id}`,
  )
  return found === null ? null : { ...headRow.read(found), sealed: toSealedAt(found) }
}

/** The read for results and for requests that wait for them. */
export const findJobResult = async (
  db: Database,
  ws: string,
  id: string,
): Promise<JobResult | null> => {
  const found = await db.one(
    sql`SELECT ${resultRow.columns()}, ${SEALED_COLUMNS} FROM jobs WHERE ws = ${ws} AND id = ${id}`,
  )
  return found === null ? null : { ...resultRow.read(found), sealed: toSealedAt(found) }
}

const replayRow = row({
  ws: text,
  id: text,
  app: text,
  action: text,
  deploymentId: text,
  status: jobStatus,
  tag: text,
  priority: number,
  triggerKind: parsed(readTriggerKind),
  createdBy: text,
  inputJson: text.nullable('i.input'),
  triggerJson: text.nullable('i.trigger'),
})

/** What a replay takes from a job. */
export type ReplaySource = RowOf<typeof replayRow> & Readonly<{ sealed: SealedAt | null }>

/** Finds what a replay takes from a job of the workspace. */
export const findReplaySource = async (
  db: Database,
  ws: string,
  id: string,
): Promise<ReplaySource | null> => {
  const found = await db.one(
    sql`SELECT ${replayRow.columns('jobs')}, ${SEALED_COLUMNS}
      FROM jobs LEFT JOIN job_inputs i ON i.job_id = jobs.id WHERE jobs.ws = ${ws} AND jobs.id = ${id}`,
  )
  return found === null ? null : { ...replayRow.read(found), sealed: toSealedAt(found) }
}

const inputRow = row({ inputJson: text('i.input'), triggerJson: text.nullable('i.trigger') })

export type JobInput = RowOf<typeof inputRow>

/** Finds the input and trigger that a job outside of flows was queued with, or null. */
export const findJobInput = (db: Database, ws: string, id: string): Promise<JobInput | null> =>
  inputRow.one(
    db,
    sql`SELECT ${inputRow.columns()} FROM jobs j JOIN job_inputs i ON i.job_id = j.id
      WHERE j.ws = ${ws} AND j.id = ${id} AND j.flow_run_id IS NULL`,
  )

const progressRow = row({ status: jobStatus, attempt: number(ATTEMPT) })

/** The small read that the job's event stream repeats. */
export const findJobProgress = async (
  db: Database,
  ws: string,
  id: string,
): Promise<Pick<Job, 'status' | 'attempt' | 'progress'> | null> => {
  const found = await db.one(
    sql`SELECT ${progressRow.columns()}, ${raw(PROGRESS)} FROM jobs WHERE ws = ${ws} AND id = ${id}`,
  )
  return found === null ? null : { ...progressRow.read(found), progress: toProgress(found) }
}

/** Finds the tag of a job; null if there is no such job. */
export const findJobTag = (db: Database, ws: string, id: string): Promise<string | null> =>
  text.one(db, sql`SELECT tag FROM jobs WHERE ws = ${ws} AND id = ${id}`)

/** Lists the tags of the queued jobs of error handlers with these identities (`created_by`), each once. */
export const listQueuedHandlerTags = (
  db: Database,
  identities: readonly string[],
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT DISTINCT tag FROM jobs WHERE created_by GLOB 'error_handler:*' AND status = 'queued'
      AND created_by IN ${listed(identities)}`,
  )

/** Lists the tags of those of these jobs that wait to be claimed, each once. */
export const listQueuedTags = (
  db: Database,
  ws: string,
  ids: readonly string[],
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT DISTINCT tag FROM jobs WHERE ws = ${ws} AND status = 'queued'
      AND id IN ${listed(ids)}`,
  )
