/** A job's output, in chunks. The pair (attempt, seq) orders them over all attempts. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { asBytes } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { bytes, count, number, type RowOf, row, text, time } from '../row.ts'
import { sql, TRUE } from '../sql.ts'
import { type Claim, isAttempt } from './lease.ts'

export type LogChunk = Readonly<{
  claim: Claim
  seq: number
  bytes: Uint8Array
  /** The pieces of the chunk, in the format of core/job/log-parts.ts. @default unknown */
  parts?: string
}>

/** Inserts a chunk. Only the attempt that has the job's claim may write, so a lost worker's late output is dropped. */
export const insertLogChunk = ({ claim, seq, bytes, parts }: LogChunk): Statement =>
  sql`INSERT INTO job_logs (job_id, attempt, seq, chunk, parts)
    SELECT id, attempt, ${seq}, ${bytes}, ${parts ?? null} FROM jobs WHERE ${isAttempt(claim)} AND status = 'running'
    ON CONFLICT DO NOTHING`

export type LogPosition = Readonly<{ attempt: number; seq: number }>

export type StoredChunk = Readonly<{ at: LogPosition; bytes: Uint8Array }>

export const LOG_START: LogPosition = { attempt: 0, seq: -1 }

/** Chunks that one statement lists: up to 4 MiB, which takes about 10 ms. */
export const CHUNKS_AT_ONCE = 64

/** Returns how many bytes of a job's output there are. The caller must have checked the job's workspace. */
export const countLogBytes = (db: Database, jobId: string): Promise<number> =>
  count(db, sql`SELECT COALESCE(SUM(length(chunk)), 0) FROM job_logs WHERE job_id = ${jobId}`)

/** Lists the next chunks after `after`, oldest first. The caller must have checked the job's workspace. */
export const listLogChunks = async (
  db: Database,
  jobId: string,
  after: LogPosition,
  limit = CHUNKS_AT_ONCE,
): Promise<readonly StoredChunk[]> => {
  const rows = await db.all(
    sql`SELECT attempt, seq, chunk FROM job_logs
      WHERE job_id = ${jobId} AND (attempt, seq) > (${after.attempt}, ${after.seq}) ORDER BY attempt, seq
      LIMIT ${limit}`,
  )
  return rows.map((row) => ({
    at: { attempt: Number(row.attempt), seq: Number(row.seq) },
    bytes: asBytes(row.chunk),
  }))
}

/** Chunks whose lengths one statement reads, in about 5 ms. */
const LENGTHS_AT_ONCE = 5_000

const lengthRow = row({ attempt: number, seq: number, bytes: number(sql`length(chunk)`) })

/** Finds the position behind which the newest chunks contain at least `bytes` bytes together. A job may have 100,000 chunks. */
export const findLogTail = async (
  db: Database,
  jobId: string,
  bytes: number,
): Promise<LogPosition> => {
  let left = bytes
  for (let isBefore = TRUE; ; await nextTurn()) {
    const chunks = await lengthRow.all(
      db,
      sql`SELECT ${lengthRow.columns()} FROM job_logs WHERE job_id = ${jobId} AND ${isBefore}
        ORDER BY attempt DESC, seq DESC LIMIT ${LENGTHS_AT_ONCE}`,
    )
    for (const chunk of chunks) {
      left -= chunk.bytes
      if (left <= 0) return { attempt: chunk.attempt, seq: chunk.seq - 1 }
    }
    const last = chunks.at(-1)
    if (last === undefined) return LOG_START
    isBefore = sql`(attempt, seq) < (${last.attempt}, ${last.seq})`
  }
}

const timedColumns = {
  bytes: bytes('chunk'),
  /** Null in older chunks, whose pieces are unknown. */
  parts: text.nullable,
  startedAt:
    time(sql`COALESCE((SELECT a.started_at FROM job_attempts a WHERE a.job_id = l.job_id AND a.attempt = l.attempt),
    j.started_at, j.created_at)`),
} as const
export type TimedChunk = Omit<RowOf<typeof followedRow>, keyof LogPosition>

export type StoredTimedChunk = Readonly<{ at: LogPosition; chunk: TimedChunk }>

const followedRow = row({
  attempt: number('l.attempt'),
  seq: number('l.seq'),
  ...timedColumns,
})

/** Lists the next chunks after `after` with the pieces of each, oldest first. */
export const listTimedChunksAfter = async (
  db: Database,
  { ws, id }: Readonly<{ ws: string; id: string }>,
  after: LogPosition,
  limit = CHUNKS_AT_ONCE,
): Promise<readonly StoredTimedChunk[]> => {
  const rows = await followedRow.all(
    db,
    sql`SELECT ${followedRow.columns()} FROM job_logs l JOIN jobs j ON j.ws = ${ws} AND j.id = l.job_id
      WHERE l.job_id = ${id} AND (l.attempt, l.seq) > (${after.attempt}, ${after.seq}) ORDER BY l.attempt, l.seq
      LIMIT ${limit}`,
  )
  return rows.map(({ attempt, seq, ...chunk }) => ({ at: { attempt, seq }, chunk }))
}
