/** Tokens by which one job is shared read-only [access 13.1]: hash and prefix, never the text. */
import { asNumber, asNumberOrNull, asText } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

export type NewViewToken = Readonly<{
  id: string
  ws: string
  jobId: string
  hash: string
  prefix: string
  lifetimeS: number
  createdBy: string
}>

/** Inserts nothing when the workspace has no such job. */
export const insertViewToken = (token: NewViewToken): Statement =>
  sql(
    `INSERT INTO view_tokens (id, ws, job_id, hash, prefix, expires_at, created_by, created_at)
     SELECT ?, jobs.ws, jobs.id, ?, ?, ${SQL_NOW} + ? * 1000, ?, ${SQL_NOW}
     FROM jobs WHERE jobs.ws = ? AND jobs.id = ? ON CONFLICT (id) DO NOTHING`,
    token.id,
    token.hash,
    token.prefix,
    token.lifetimeS,
    token.createdBy,
    token.ws,
    token.jobId,
  )

/** Milliseconds since 1970, or null when there is no such token. */
export const findViewTokenExpiry = async (
  db: Database,
  ws: string,
  id: string,
): Promise<number | null> => {
  const row = await db.one(
    sql('SELECT expires_at FROM view_tokens WHERE ws = ? AND id = ?', ws, id),
  )
  return row === null ? null : asNumber(row.expires_at)
}

export type ViewTokenAddress = Readonly<{ ws: string; jobId: string; id: string }>

export const findViewToken = async (
  db: Database,
  { ws, jobId, id }: ViewTokenAddress,
): Promise<string | null> => {
  const row = await db.one(
    sql('SELECT id FROM view_tokens WHERE ws = ? AND job_id = ? AND id = ?', ws, jobId, id),
  )
  return row === null ? null : asText(row.id)
}

export type ViewToken = Readonly<{
  id: string
  prefix: string
  expiresAt: number
  revokedAt: number | null
  createdBy: string
  createdAt: number
}>

export type ViewTokenPage = Readonly<{ beforeId: string | null; limit: number }>

/** Of one job, newest first. */
export const listViewTokens = async (
  db: Database,
  { ws, jobId }: Pick<ViewTokenAddress, 'ws' | 'jobId'>,
  { beforeId, limit }: ViewTokenPage,
): Promise<readonly ViewToken[]> => {
  const rows = await db.all(
    sql(
      `SELECT id, prefix, expires_at, revoked_at, created_by, created_at FROM view_tokens
       WHERE job_id = ? AND ws = ? AND (? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?`,
      jobId,
      ws,
      beforeId,
      beforeId,
      limit,
    ),
  )
  return rows.map((row) => ({
    id: asText(row.id),
    prefix: asText(row.prefix),
    expiresAt: asNumber(row.expires_at),
    revokedAt: asNumberOrNull(row.revoked_at),
    createdBy: asText(row.created_by),
    createdAt: asNumber(row.created_at),
  }))
}

/** Revoking twice keeps the first time. */
export const revokeViewToken = ({ ws, jobId, id }: ViewTokenAddress): Statement =>
  sql(
    `UPDATE view_tokens SET revoked_at = ${SQL_NOW}
     WHERE ws = ? AND job_id = ? AND id = ? AND revoked_at IS NULL`,
    ws,
    jobId,
    id,
  )

/** All that still work. */
export const revokeViewTokensOf = (ws: string, jobId: string): Statement =>
  sql(
    `UPDATE view_tokens SET revoked_at = ${SQL_NOW}
     WHERE job_id = ? AND ws = ? AND revoked_at IS NULL AND expires_at > ${SQL_NOW}`,
    jobId,
    ws,
  )

export type ViewTokenHolder = Readonly<{
  ws: string
  jobId: string
  expiresAt: number
  hasEnded: boolean
}>

/** One read for the whole check; expiry is decided by the database's clock. */
export const findViewTokenByHash = async (
  db: Database,
  hash: string,
): Promise<ViewTokenHolder | null> => {
  const row = await db.one(
    sql(
      `SELECT ws, job_id, expires_at, revoked_at IS NOT NULL OR expires_at <= ${SQL_NOW} AS ended
       FROM view_tokens WHERE hash = ?`,
      hash,
    ),
  )
  if (row === null) return null
  return {
    ws: asText(row.ws),
    jobId: asText(row.job_id),
    expiresAt: asNumber(row.expires_at),
    hasEnded: row.ended === 1,
  }
}
