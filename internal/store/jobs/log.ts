/** A job's output, in chunks: (attempt, seq) orders them over all attempts. */
import { asBytes } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { sql } from '../sql.ts'
import { type Claim, isAttempt } from './lease.ts'

export type LogChunk = Readonly<{ claim: Claim; seq: number; bytes: Uint8Array }>

/** Only the attempt that holds the job may write, so a lost worker's late output is dropped. */
export const insertLogChunk = ({ claim, seq, bytes }: LogChunk): Statement =>
  sql`INSERT INTO job_logs (job_id, attempt, seq, chunk)
    SELECT id, attempt, ${seq}, ${bytes} FROM jobs WHERE ${isAttempt(claim)} AND status = 'running'
    ON CONFLICT DO NOTHING`

export type LogPosition = Readonly<{ attempt: number; seq: number }>

export type StoredChunk = Readonly<{ at: LogPosition; bytes: Uint8Array }>

/** Chunks behind `after`, oldest first. The job's workspace was checked by the caller. */
export const listLogChunks = async (
  db: Database,
  jobId: string,
  after: LogPosition = { attempt: 0, seq: -1 },
): Promise<readonly StoredChunk[]> => {
  const rows = await db.all(
    sql`SELECT attempt, seq, chunk FROM job_logs
      WHERE job_id = ${jobId} AND (attempt, seq) > (${after.attempt}, ${after.seq}) ORDER BY attempt, seq`,
  )
  return rows.map((row) => ({
    at: { attempt: Number(row.attempt), seq: Number(row.seq) },
    bytes: asBytes(row.chunk),
  }))
}

/** The newest chunks that together hold at least `bytes` bytes, oldest first. */
export const listLogTail = async (
  db: Database,
  jobId: string,
  bytes: number,
): Promise<readonly Uint8Array[]> => {
  const rows = await db.all(
    sql`SELECT chunk FROM (
        SELECT attempt, seq, chunk,
          SUM(length(chunk)) OVER (ORDER BY attempt DESC, seq DESC) - length(chunk) AS newer
        FROM job_logs WHERE job_id = ${jobId})
      WHERE newer < ${bytes} ORDER BY attempt, seq`,
  )
  return rows.map((row) => asBytes(row.chunk))
}
