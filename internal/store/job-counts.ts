/**
 * Counts of jobs, always from rows, in portions: a count over a million rows in one statement would hold up everything
 * else in this process for a second. Portions are no snapshot; the numbers are for people and for scaling.
 */
import { isTerminal, type JobStatus, type TerminalStatus } from '#core/job.ts'
import type { EndedAt } from '#core/job-timeline.ts'
import { asNumber, asText } from './column.ts'
import { type Database, type Reader, type Row, SQL_NOW, sql } from './database.ts'
import { toStatus } from './jobs.ts'

/** @template Position of the last row that was counted */
export type Portion<Count, Position> = Readonly<{
  counts: readonly Count[]
  /** To go on after; null: there is no more. */
  next: Position | null
}>

export type OpenCount = Readonly<{ status: JobStatus; tag: string; app: string; count: number }>

/** @param after an id; empty: from the first */
export const countOpenJobs = async (
  db: Reader,
  ws: string,
  { after, limit }: Readonly<{ after: string; limit: number }>,
): Promise<Portion<OpenCount, string>> => {
  const rows = await db.all(
    sql(
      `WITH portion AS (
         SELECT id, status, tag, app FROM jobs INDEXED BY jobs_open
         WHERE ws = ? AND completed_at IS NULL AND id > ? ORDER BY id LIMIT ?)
       SELECT status, tag, app, count(*) AS n, max(id) AS last FROM portion GROUP BY status, tag, app`,
      ws,
      after,
      limit,
    ),
  )
  const counts = rows.map((row) => ({
    status: toStatus(asText(row.status)),
    tag: asText(row.tag),
    app: asText(row.app),
    count: asNumber(row.n),
  }))
  const seen = counts.reduce((sum, { count }) => sum + count, 0)
  const last = latest(rows)
  return { counts, next: seen < limit ? null : last }
}

/** The queued jobs of a workspace, delayed ones too; counting stops at `limit`. */
export const countQueuedUpTo = async (db: Database, ws: string, limit: number): Promise<number> => {
  const row = await db.one(
    sql(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM jobs INDEXED BY jobs_open
         WHERE ws = ? AND completed_at IS NULL AND status = 'queued' LIMIT ?)`,
      ws,
      limit,
    ),
  )
  return asNumber(row?.n)
}

export type EndedCount = Readonly<{ outcome: TerminalStatus; app: string; count: number }>
const toOutcome = (text: string): TerminalStatus => {
  const status = toStatus(text)
  if (!isTerminal(status)) throw new Error(`The ledger holds a job that is ${status}.`)
  return status
}

export type EndedPosition = Readonly<{ completedAt: number; jobId: string }>

/** Of texts that sort as what they stand for. */
const latest = (rows: readonly Row[]): string =>
  rows
    .map((row) => asText(row.last))
    .toSorted()
    .at(-1) ?? ''

/** Null: the portion was the last. */
const nextPosition = (
  rows: readonly Row[],
  counts: readonly Readonly<{ count: number }>[],
  limit: number,
): EndedPosition | null => {
  const seen = counts.reduce((sum, { count }) => sum + count, 0)
  const last = latest(rows)
  return seen < limit ? null : { completedAt: Number(last.slice(0, 20)), jobId: last.slice(20) }
}

/** From the ledger, which has one row for each job that ended. */
export const countEndedJobs = async (
  db: Reader,
  ws: string,
  { after, limit }: Readonly<{ after: EndedPosition; limit: number }>,
): Promise<Portion<EndedCount, EndedPosition>> => {
  const rows = await db.all(
    sql(
      `WITH portion AS (
         SELECT app, outcome, completed_at, job_id FROM ledger INDEXED BY ledger_by_time
         WHERE ws = ? AND (completed_at, job_id) > (?, ?) ORDER BY completed_at, job_id LIMIT ?)
       SELECT app, outcome, count(*) AS n, max(format('%020d', completed_at) || job_id) AS last
       FROM portion GROUP BY app, outcome`,
      ws,
      after.completedAt,
      after.jobId,
      limit,
    ),
  )
  const counts = rows.map((row) => ({
    outcome: toOutcome(asText(row.outcome)),
    app: asText(row.app),
    count: asNumber(row.n),
  }))
  return { counts, next: nextPosition(rows, counts, limit) }
}

/** The same portions, by outcome and by the piece of time of `pieceMs` in which the jobs ended. */
export const countEndedByTime = async (
  db: Reader,
  ws: string,
  { after, limit, pieceMs }: Readonly<{ after: EndedPosition; limit: number; pieceMs: number }>,
): Promise<Portion<EndedAt, EndedPosition>> => {
  const rows = await db.all(
    sql(
      `WITH portion AS (
         SELECT outcome, completed_at, job_id FROM ledger INDEXED BY ledger_by_time
         WHERE ws = ? AND (completed_at, job_id) > (?, ?) ORDER BY completed_at, job_id LIMIT ?)
       SELECT outcome, completed_at / ? AS piece, count(*) AS n,
         max(format('%020d', completed_at) || job_id) AS last
       FROM portion GROUP BY outcome, piece`,
      ws,
      after.completedAt,
      after.jobId,
      limit,
      pieceMs,
    ),
  )
  const counts = rows.map((row) => ({
    at: asNumber(row.piece) * pieceMs,
    outcome: toOutcome(asText(row.outcome)),
    count: asNumber(row.n),
  }))
  return { counts, next: nextPosition(rows, counts, limit) }
}

export type TagQueueCount = Readonly<{ tag: string; count: number; oldestAgeMs: number }>

const toTagQueueCount = (row: Row): TagQueueCount => ({
  tag: asText(row.tag),
  count: asNumber(row.n),
  oldestAgeMs: Math.max(0, asNumber(row.age)),
})

const QUEUES = `SELECT tag, count(*) AS n, min(run_at) AS first FROM jobs INDEXED BY jobs_ready
    WHERE status = 'queued' AND ready = 1 AND concurrency_key IS NULL GROUP BY tag
  UNION ALL
  SELECT tag, count(*), min(run_at) FROM jobs INDEXED BY jobs_ready_keyed
    WHERE status = 'queued' AND ready = 1 AND concurrency_key IS NOT NULL GROUP BY tag`

/** Jobs of all workspaces that could run now, by tag, with the time that the oldest has been due. */
export const countReadyByTag = async (db: Database): Promise<readonly TagQueueCount[]> => {
  const rows = await db.all(
    sql(
      `SELECT tag, sum(n) AS n, ${SQL_NOW} - min(first) AS age FROM (${QUEUES})
       GROUP BY tag ORDER BY tag`,
    ),
  )
  return rows.map(toTagQueueCount)
}

/** The same for one workspace. */
export const countReadyByTagIn = async (
  db: Database,
  ws: string,
): Promise<readonly TagQueueCount[]> => {
  const rows = await db.all(
    sql(
      `SELECT tag, count(*) AS n, ${SQL_NOW} - min(run_at) AS age FROM jobs INDEXED BY jobs_open
       WHERE ws = ? AND completed_at IS NULL AND status = 'queued' AND ready = 1
       GROUP BY tag ORDER BY tag`,
      ws,
    ),
  )
  return rows.map(toTagQueueCount)
}
