/** A job's output, in chunks. The pair (attempt, seq) orders them over all attempts. */
import { asBytes } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { bytes, count, number, type RowOf, row, text, time } from '../row.ts'
import { sql } from '../sql.ts'
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

/** A table of a job's chunks with the bytes behind each. It holds no contents, because they would all be copied to sort them. */
const newestChunks = (jobId: string): Statement =>
  sql`(SELECT attempt, seq,
        SUM(length(chunk)) OVER (ORDER BY attempt DESC, seq DESC) - length(chunk) AS newer
      FROM job_logs WHERE job_id = ${jobId})`

const timedColumns = {
  bytes: bytes('chunk'),
  /** Null in older chunks, whose pieces are unknown. */
  parts: text.nullable,
  startedAt:
    time(sql`COALESCE((SELECT a.started_at FROM job_attempts a WHERE a.job_id = l.job_id AND a.attempt = l.attempt),
    j.started_at, j.created_at)`),
} as const
const timedRow = row(timedColumns)
export type TimedChunk = RowOf<typeof timedRow>

/** Lists the newest chunks that contain at least `tailBytes` bytes together, oldest first, with the pieces of each. */
export const listTimedChunks = (
  db: Database,
  { ws, id }: Readonly<{ ws: string; id: string }>,
  tailBytes: number,
): Promise<readonly TimedChunk[]> =>
  timedRow.all(
    db,
    sql`SELECT ${timedRow.columns()} FROM ${newestChunks(id)} n
        CROSS JOIN job_logs l ON l.job_id = ${id} AND l.attempt = n.attempt AND l.seq = n.seq
        CROSS JOIN jobs j ON j.ws = ${ws} AND j.id = l.job_id
      WHERE n.newer < ${tailBytes} ORDER BY l.attempt, l.seq`,
  )

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

/** Lists the newest chunks that contain at least `bytes` bytes together, oldest first. */
export const listLogTail = async (
  db: Database,
  jobId: string,
  bytes: number,
): Promise<readonly Uint8Array[]> => {
  const rows = await db.all(
    sql`SELECT l.chunk FROM ${newestChunks(jobId)} n
        CROSS JOIN job_logs l ON l.job_id = ${jobId} AND l.attempt = n.attempt AND l.seq = n.seq
      WHERE n.newer < ${bytes} ORDER BY l.attempt, l.seq`,
  )
  return rows.map((row) => asBytes(row.chunk))
}
