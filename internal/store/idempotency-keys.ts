/** `Idempotency-Key` [wire 5]: a key belongs to a credential and a route, and holds for 24 hours. */
import { asText } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

const KEPT_MS = 86_400_000

export type IdempotencyKey = Readonly<{
  ws: string
  credential: string
  route: string
  key: string
}>

export type IdempotencyClaim = IdempotencyKey & Readonly<{ bodyHash: string; jobId: string }>

const place = (at: IdempotencyKey): readonly string[] => [at.ws, at.credential, at.route, at.key]

const AT = 'ws = ? AND credential = ? AND route = ? AND key = ?'

/** Takes the key for `jobId` unless somebody holds it. */
export const insertIdempotencyKey = (claim: IdempotencyClaim): readonly Statement[] => [
  sql(
    `DELETE FROM idempotency_keys WHERE ${AT} AND created_at < ${SQL_NOW} - ${KEPT_MS}`,
    ...place(claim),
  ),
  sql(
    `INSERT INTO idempotency_keys (ws, credential, route, key, body_hash, job_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ${SQL_NOW}) ON CONFLICT DO NOTHING`,
    ...place(claim),
    claim.bodyHash,
    claim.jobId,
  ),
]

/** A condition for `insertJob`: the key is this job's. */
export const holdsIdempotencyKey = (claim: IdempotencyClaim): Statement =>
  sql(
    `EXISTS (SELECT 1 FROM idempotency_keys WHERE ${AT} AND job_id = ?)`,
    ...place(claim),
    claim.jobId,
  )

/** Gives the key back when no job, or no flow run, came of it. */
export const deleteIdempotencyKey = (
  claim: IdempotencyClaim,
  table: 'jobs' | 'flow_runs' = 'jobs',
): Statement =>
  sql(
    `DELETE FROM idempotency_keys WHERE ${AT} AND job_id = ?
       AND NOT EXISTS (SELECT 1 FROM ${table} made WHERE made.ws = idempotency_keys.ws
         AND made.id = idempotency_keys.job_id)`,
    ...place(claim),
    claim.jobId,
  )

export type KeptAnswer = Readonly<{ bodyHash: string; jobId: string }>

export const findIdempotencyKey = async (
  db: Database,
  at: IdempotencyKey,
): Promise<KeptAnswer | null> => {
  const row = await db.one(
    sql(
      `SELECT body_hash, job_id FROM idempotency_keys
       WHERE ${AT} AND created_at >= ${SQL_NOW} - ${KEPT_MS}`,
      ...place(at),
    ),
  )
  return row === null ? null : { bodyHash: asText(row.body_hash), jobId: asText(row.job_id) }
}
