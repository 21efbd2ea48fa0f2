/**
 * How each attempt of a job ended. An attempt that did not end its job gets a row, in the batch that queues the job again. The
 * last attempt is read from the job.
 */
import { ATTEMPT_OUTCOMES, attemptOf } from '#core/job/attempt.ts'
import type { Database, Statement } from '../database.ts'
import { number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { isLostRow, type Lost } from './guards.ts'
import { type Claim, isAttempt } from './lease.ts'

export type EndedAttempt =
  /** The error as JSON, encrypted if the job's result is. */
  Readonly<{ outcome: 'failure'; error: string }> | Readonly<{ outcome: 'handed_back' }>

/** Must run before the statement that queues the job again, which clears worker and start. Both have the same guard. */
export const insertAttempt = (claim: Claim, ended: EndedAttempt): Statement =>
  sql`INSERT INTO job_attempts (job_id, attempt, outcome, worker, started_at, ended_at, error)
    SELECT id, attempt, ${ended.outcome}, worker, started_at, ${SQL_NOW},
      ${ended.outcome === 'failure' ? ended.error : null}
    FROM jobs WHERE ${isAttempt(claim)} AND status = 'running' AND cancel_by IS NULL
    ON CONFLICT DO NOTHING`

/**
 * Records the lost attempt of a job that is queued again. Must run before `rescueJob`, whose condition it shares. The attempt
 * ended with its lease.
 */
export const insertLostAttempt = (lost: Lost, error: string): Statement =>
  sql`INSERT INTO job_attempts (job_id, attempt, outcome, worker, started_at, ended_at, error)
    SELECT id, attempt, 'worker_lost', worker, started_at, MAX(lease_until, started_at), ${error}
    FROM jobs WHERE ${isLostRow(lost)} AND status = 'running'
    ON CONFLICT DO NOTHING`

const attemptRow = row({
  attempt: number,
  outcome: oneOf(ATTEMPT_OUTCOMES),
  worker: text.nullable,
  startedAt: time,
  /** Null while the attempt runs. */
  endedAt: time.nullable,
  /** The error, as in `EndedAttempt`. */
  errorText: text.nullable('error'),
})

export type JobAttempt = RowOf<typeof attemptRow>

/** Limit of listed attempts. Only workers that stop again and again cause more; retries and lost workers cannot. */
const MAX_ATTEMPTS = 500

/** When the attempt before ended, or the job was queued. */
const BEFORE = sql`COALESCE((SELECT max(a.ended_at) FROM job_attempts a WHERE a.job_id = jobs.id), created_at)`

/** A suspended job no longer has the start of its attempt, so its first step of that attempt counts. */
const STARTED = sql`COALESCE(started_at, (SELECT min(at) FROM (
    SELECT jobs.began_at AS at UNION ALL SELECT s.started_at FROM job_steps s WHERE s.job_id = jobs.id)
  WHERE at >= ${BEFORE}), ${BEFORE})`

/** Whether the attempt runs or has ended. That of a suspended job has ended if the job was canceled. */
const HAS_STARTED = sql`(started_at IS NOT NULL OR (status = 'canceled' AND suspended_kind IS NOT NULL))`

/** Lists the newest attempts, oldest first. It is one read, so that an attempt that ends meanwhile is listed once. */
export const listAttempts = async (
  db: Database,
  ws: string,
  id: string,
): Promise<readonly JobAttempt[]> => {
  const attempts = await attemptRow.all(
    db,
    sql`SELECT ${attemptRow.columns()} FROM job_attempts WHERE job_id = ${id}
      UNION ALL
      SELECT attempt,
        CASE WHEN status = 'failure' AND crash_count >= crash_limit THEN 'worker_lost' ELSE status END,
        worker, ${STARTED}, completed_at, CASE WHEN status IN ('failure', 'canceled') THEN result END
      FROM jobs WHERE ws = ${ws} AND id = ${id} AND ${HAS_STARTED}
      ORDER BY attempt DESC LIMIT ${MAX_ATTEMPTS}`,
  )
  return attempts.toReversed().map((each) => ({ ...each, attempt: attemptOf(each.attempt) }))
}
