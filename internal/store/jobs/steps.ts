/** The journal of a durable job: its steps and its history. Every write depends on the attempt that makes it. */
import { type CalledKind, STEP_KINDS, STEP_STATUSES, type WaitKind } from '#core/durable/step.ts'
import type { Reader, Statement } from '../database.ts'
import { bool, count, number, oneOf, type RowOf, row, text } from '../row.ts'
import { listed, raw, SQL_NOW, sql } from '../sql.ts'
import { CHILD_JOB, CHILD_RUN, childText } from './called-runs.ts'
import { type Claim, isAttempt, keepsClaim } from './lease.ts'

/** A condition: this attempt runs and has its job, and no cancel was requested. */
export const mayRecord = (claim: Claim): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE ${isAttempt(claim, 'j')} AND j.status = 'running'
    AND j.cancel_by IS NULL AND ${keepsClaim('j')})`

const LEFT = sql`CASE WHEN status = 'running' THEN due_at - ${SQL_NOW} END`

const stepRow = row({
  name: text,
  kind: oneOf(STEP_KINDS),
  position: number,
  status: oneOf(STEP_STATUSES),
  tries: number('attempts'),
  /** Whether the attempt that reads this failure throws it instead of repeating the step. */
  isCaught: bool(sql`caught > 0`),
  /** Whether no attempt has failed yet that was given this failure. */
  isUnthrown: bool(sql`caught = 2`),
  /** Milliseconds; null unless the step runs until a time. */
  dueInMs: number.nullable(LEFT),
  error: text.nullable,
  result: text.nullable,
  /** The called job. */
  childJobId: text.nullable(CHILD_JOB),
  /** The called flow run. */
  childRunId: text.nullable(CHILD_RUN),
})
export type StepRow = RowOf<typeof stepRow>

export type StepPosition = Readonly<{ position: number; name: string }>

export const STEPS_START: StepPosition = { position: 0, name: '' }

/** Bytes that a step counts in a page in addition to its texts. */
const ROW_BYTES = 200
/** Limit of rows that one statement examines. */
const PAGE_ROWS = 2_000

const BYTES = raw(
  `${ROW_BYTES} + COALESCE(octet_length(result), 0) + COALESCE(octet_length(error), 0)`,
)

/** Selects steps after a position, with the bytes of each and of all up to it. */
export const withSizes = (jobId: string, after: StepPosition, limit: number): Statement =>
  sql`SELECT *, ${BYTES} AS bytes,
      sum(${BYTES}) OVER (ORDER BY position, name ROWS UNBOUNDED PRECEDING) AS total
    FROM (SELECT * FROM job_steps WHERE job_id = ${jobId} AND (position, name) > (${after.position}, ${after.name})
      ORDER BY position, name LIMIT ${limit})`

/** Lists steps in order until they have `maxBytes` together, but at least one. */
export const listStepPage = (
  db: Reader,
  jobId: string,
  { after, maxBytes }: Readonly<{ after: StepPosition; maxBytes: number }>,
): Promise<readonly StepRow[]> =>
  stepRow.all(
    db,
    sql`SELECT ${stepRow.columns()} FROM (${withSizes(jobId, after, PAGE_ROWS)})
      WHERE total <= ${maxBytes} OR total = bytes ORDER BY position, name`,
  )

/** Returns whether there are steps after a position. */
export const hasStepsAfter = async (
  db: Reader,
  jobId: string,
  { position, name }: StepPosition,
): Promise<boolean> =>
  (await db.one(
    sql`SELECT 1 FROM job_steps WHERE job_id = ${jobId} AND (position, name) > (${position}, ${name}) LIMIT 1`,
  )) !== null

export const findStep = (db: Reader, jobId: string, name: string): Promise<StepRow | null> =>
  stepRow.one(
    db,
    sql`SELECT ${stepRow.columns()} FROM job_steps WHERE job_id = ${jobId} AND name = ${name}`,
  )

export const countSteps = (db: Reader, jobId: string): Promise<number> =>
  count(db, sql`SELECT count(*) FROM job_steps WHERE job_id = ${jobId}`)

export type StepRecord = Readonly<{
  name: string
  position: number
  tries: number
  tookMs: number
}>

/** A later attempt may repeat a failed step, unless the script continued from its failure. */
const MAY_CHANGE = raw(
  "job_steps.status = 'running' OR (job_steps.status = 'failure' AND job_steps.caught <> 1)",
)

/** The value of `caught` of a failure that an attempt is given now. Later attempts throw it until one of them fails [durable 2.3]. */
const GIVEN = 2

/**
 * Records how the function of a step ended. Returns `{name}` if it was recorded.
 * @param end `result` and `error` are encrypted; `delayMs` is for a step that is tried again
 */
export const recordStep = (
  claim: Claim,
  { name, position, tries, tookMs }: StepRecord,
  end: Readonly<{ result: string } | { error: string; delayMs: number | null }>,
): Statement => {
  const isSuccess = 'result' in end
  const delayMs = isSuccess ? null : end.delayMs
  const status = isSuccess ? 'success' : delayMs === null ? 'failure' : 'running'
  const completedAt = status === 'running' ? raw('NULL') : SQL_NOW
  const dueAt = delayMs === null ? raw('NULL') : sql`${SQL_NOW} + ${delayMs}`
  return sql`INSERT INTO job_steps
      (job_id, name, position, kind, status, attempts, started_at, completed_at, due_at, result, error, caught)
    SELECT ${claim.id}, ${name}, ${position}, 'step', ${status}, ${tries}, ${SQL_NOW} - ${tookMs}, ${completedAt}, ${dueAt},
      ${isSuccess ? end.result : null}, ${isSuccess ? null : end.error}, ${status === 'failure' ? GIVEN : 0}
    WHERE ${mayRecord(claim)}
    ON CONFLICT DO UPDATE SET position = excluded.position, status = excluded.status, attempts = excluded.attempts,
      completed_at = excluded.completed_at, due_at = excluded.due_at, result = excluded.result, error = excluded.error, caught = excluded.caught
    WHERE job_steps.kind = 'step' AND (${MAY_CHANGE})
    RETURNING name`
}

export type StepStart = Readonly<{
  name: string
  position: number
  kind: WaitKind
  /** Milliseconds until the latest end of the step. */
  ms: number
  /** The called job or flow run. */
  child: Readonly<{ calls: CalledKind; id: string }> | null
}>

/** Records that a sleep, a wait or a call has begun. A called job or flow run must exist. */
export const beginStep = (
  claim: Claim,
  { name, position, kind, ms, child }: StepStart,
): Statement => {
  const childId = child === null ? null : childText(child)
  const table = raw(child?.calls === 'flow' ? 'flow_runs' : 'jobs')
  return sql`INSERT INTO job_steps (job_id, name, position, kind, status, started_at, due_at, child_id)
    SELECT ${claim.id}, ${name}, ${position}, ${kind}, 'running', ${SQL_NOW}, ${SQL_NOW} + ${ms}, ${childId}
    WHERE ${mayRecord(claim)}
      AND (${childId} IS NULL OR EXISTS (SELECT 1 FROM ${table} c WHERE c.ws = ${claim.ws} AND c.id = ${child?.id ?? null}))
    ON CONFLICT DO UPDATE SET position = excluded.position, status = 'running', attempts = job_steps.attempts + 1,
      started_at = excluded.started_at, completed_at = NULL, due_at = excluded.due_at, child_id = excluded.child_id,
      error = NULL
    WHERE job_steps.kind = excluded.kind AND job_steps.status = 'failure' AND job_steps.caught = 0`
}

export type JobWait = Readonly<{ id: string; name: string; event: string; key: string | null }>

/** Opens the wait of a step that has just begun, once. Runs after `markBegan`. The wait times out when the step is due. */
export const insertJobWait = (claim: Claim, { id, name, event, key }: JobWait): Statement =>
  sql`INSERT INTO event_waits (id, ws, name, key, owner_kind, owner_id, step, position, began_at, timeout_at, created_at)
    SELECT ${id}, j.ws, ${event}, ${key}, 'job', j.id, s.name, s.position, j.began_at, s.due_at, ${SQL_NOW}
    FROM jobs j JOIN job_steps s ON s.job_id = j.id AND s.name = ${name} AND s.kind = 'event' AND s.status = 'running'
    WHERE j.ws = ${claim.ws} AND j.id = ${claim.id} AND ${mayRecord(claim)}
      AND NOT EXISTS (SELECT 1 FROM event_waits w WHERE w.owner_id = j.id AND w.step = s.name AND w.status IN ('open', 'received'))
    ON CONFLICT DO NOTHING`

/** Records a sleep, a wait or a call that failed as soon as it began. */
export const failStep = (
  claim: Claim,
  { name, position, kind }: Pick<StepStart, 'name' | 'position' | 'kind'>,
  error: string,
): Statement =>
  sql`INSERT INTO job_steps (job_id, name, position, kind, status, started_at, completed_at, error, caught)
    SELECT ${claim.id}, ${name}, ${position}, ${kind}, 'failure', ${SQL_NOW}, ${SQL_NOW}, ${error}, ${GIVEN}
    WHERE ${mayRecord(claim)}
    ON CONFLICT DO UPDATE SET attempts = job_steps.attempts + 1, completed_at = excluded.completed_at, error = excluded.error,
      caught = excluded.caught
    WHERE job_steps.kind = excluded.kind AND job_steps.status = 'failure' AND job_steps.caught = 0`

/** Ends sleeps that are over and waits that have timed out, as of their due time. Event waits are ended first. */
export const endDueSteps = (claim: Claim): readonly Statement[] => {
  const isDue = sql`job_id = ${claim.id} AND kind IN ('sleep', 'event') AND status = 'running' AND due_at <= ${SQL_NOW}
    AND ${mayRecord(claim)}`
  return [
    sql`UPDATE event_waits SET status = 'timed_out', ended_at = ${SQL_NOW}
      WHERE owner_id = ${claim.id} AND status = 'open'
        AND step IN (SELECT name FROM job_steps WHERE ${isDue})`,
    sql`UPDATE job_steps SET status = 'success', completed_at = due_at WHERE ${isDue}`,
  ]
}

/** Replaces a step's plain text, taken from a called job, with an encrypted one. */
export const sealStep = (
  claim: Claim,
  { name, plain, sealed }: Readonly<{ name: string; plain: string; sealed: string }>,
  column: 'result' | 'error',
): Statement =>
  sql`UPDATE job_steps SET ${raw(column)} = ${sealed}
    WHERE job_id = ${claim.id} AND name = ${name} AND ${raw(column)} = ${plain} AND ${mayRecord(claim)}`

/** Marks failures that an attempt was given, because it fails. The next attempt runs these steps again [durable 2.3]. */
export const markThrown = (claim: Claim, names: readonly string[]): Statement =>
  sql`UPDATE job_steps SET caught = 0 WHERE job_id = ${claim.id} AND caught = 2
    AND name IN ${listed(names)} AND ${mayRecord(claim)}`

/** Marks failures that the script continued from. Every later attempt throws them again [durable 2.3]. */
export const markCaught = (claim: Claim, names: readonly string[]): Statement =>
  sql`UPDATE job_steps SET caught = 1 WHERE job_id = ${claim.id} AND status = 'failure' AND caught <> 1
    AND name IN ${listed(names)} AND ${mayRecord(claim)}`

/** @param row `first`: the number of entries before these; `entries`: encrypted */
export const insertHistory = (claim: Claim, { first, entries }: HistoryRow): Statement =>
  sql`INSERT INTO job_history (job_id, first, entries) SELECT ${claim.id}, ${first}, ${entries}
    WHERE ${mayRecord(claim)} ON CONFLICT DO NOTHING`

const historyRow = row({ first: number, entries: text })
export type HistoryRow = RowOf<typeof historyRow>

/** Lists the entries behind `after` in order. */
export const listHistory = (
  db: Reader,
  jobId: string,
  { after, limit }: Readonly<{ after: HistoryRow | null; limit: number }>,
): Promise<readonly HistoryRow[]> =>
  historyRow.all(
    db,
    sql`SELECT ${historyRow.columns()} FROM job_history
      WHERE job_id = ${jobId} AND first > ${after?.first ?? -1} ORDER BY first LIMIT ${limit}`,
  )

/** When the job first started. No later start is earlier. */
export const BEGAN_AT = sql`COALESCE(jobs.began_at,
  (SELECT min(a.started_at) FROM job_attempts a WHERE a.job_id = jobs.id), jobs.started_at)`

/** Marks a job as having waits, and records when it began. Returns `{began_at}`. */
export const markBegan = (claim: Claim): Statement =>
  sql`UPDATE jobs SET began_at = ${BEGAN_AT}
    WHERE ${isAttempt(claim)} AND status = 'running' AND cancel_by IS NULL AND ${keepsClaim()}
    RETURNING began_at`
