/** Tokens that share one job read-only [access 13.1]. Only the hash and the prefix of a token are stored. */
import type { Database, Statement } from '../database.ts'
import { bool, number, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, isBehind } from '../search.ts'
import { listed, SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

export type NewViewToken = Readonly<{
  id: string
  ws: string
  jobId: string
  hash: string
  prefix: string
  lifetimeS: number
  createdBy: string
}>

/** Inserts a token. Inserts nothing if the workspace has no such job. */
export const insertViewToken = (token: NewViewToken): Statement =>
  sql`INSERT INTO view_tokens (id, ws, job_id, hash, prefix, expires_at, created_by, created_at)
    SELECT ${token.id}, jobs.ws, jobs.id, ${token.hash}, ${token.prefix},
      ${SQL_NOW} + ${token.lifetimeS} * 1000, ${token.createdBy}, ${SQL_NOW}
    FROM jobs WHERE jobs.ws = ${token.ws} AND jobs.id = ${token.jobId} ON CONFLICT (id) DO NOTHING`

/** Finds when a token expires, in milliseconds since 1970; null if there is no such token. */
export const findViewTokenExpiry = (db: Database, ws: string, id: string): Promise<number | null> =>
  number.one(db, sql`SELECT expires_at FROM view_tokens WHERE ws = ${ws} AND id = ${id}`)

export type ViewTokenAddress = Readonly<{ ws: string; jobId: string; id: string }>

/** Finds the id of a token of this job, or null. */
export const findViewToken = (
  db: Database,
  { ws, jobId, id }: ViewTokenAddress,
): Promise<string | null> =>
  text.one(
    db,
    sql`SELECT id FROM view_tokens WHERE ws = ${ws} AND job_id = ${jobId} AND id = ${id}`,
  )

const viewTokenRow = row({
  id: text,
  prefix: text,
  expiresAt: time,
  revokedAt: time.nullable,
  createdBy: text,
  createdAt: time,
})
export type ViewToken = RowOf<typeof viewTokenRow>

/** Lists the tokens of one job, newest first. */
export const listViewTokens = (
  db: Database,
  { ws, jobId }: Pick<ViewTokenAddress, 'ws' | 'jobId'>,
  { beforeId, limit }: IdPage,
): Promise<readonly ViewToken[]> =>
  viewTokenRow.all(
    db,
    sql`SELECT ${viewTokenRow.columns()} FROM view_tokens
      WHERE job_id = ${jobId} AND ws = ${ws} AND ${isBehind('id', beforeId)}
      ORDER BY id DESC LIMIT ${limit}`,
  )

/** Revokes a token. Revoking twice keeps the first time. */
export const revokeViewToken = ({ ws, jobId, id }: ViewTokenAddress): Statement =>
  sql`UPDATE view_tokens SET revoked_at = ${SQL_NOW}
    WHERE ws = ${ws} AND job_id = ${jobId} AND id = ${id} AND revoked_at IS NULL`

export type JobTokensPage = Pick<ViewTokenAddress, 'ws' | 'jobId'> &
  Readonly<{ afterId: string; limit: number }>

/** Lists the ids of the valid tokens of a job, in order. */
export const listValidViewTokens = (
  db: Database,
  { ws, jobId, afterId, limit }: JobTokensPage,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT id FROM view_tokens INDEXED BY view_tokens_by_job
      WHERE job_id = ${jobId} AND ws = ${ws} AND id > ${afterId} AND revoked_at IS NULL AND expires_at > ${SQL_NOW}
      ORDER BY id LIMIT ${limit}`,
  )

/** Revokes these tokens of a job. Revoking twice keeps the first time. */
export const revokeViewTokens = (ws: string, jobId: string, ids: readonly string[]): Statement =>
  sql`UPDATE view_tokens SET revoked_at = ${SQL_NOW}
    WHERE ws = ${ws} AND job_id = ${jobId} AND id IN ${listed(ids)} AND revoked_at IS NULL`

const viewTokenHolderRow = row({
  ws: text,
  jobId: text,
  expiresAt: time,
  hasEnded: bool(sql`revoked_at IS NOT NULL OR expires_at <= ${SQL_NOW}`),
})
export type ViewTokenHolder = RowOf<typeof viewTokenHolderRow>

/** Finds a token with all that authentication checks. The database's clock decides whether it has expired. */
export const findViewTokenByHash = (db: Database, hash: string): Promise<ViewTokenHolder | null> =>
  viewTokenHolderRow.one(
    db,
    sql`SELECT ${viewTokenHolderRow.columns()}
      FROM view_tokens WHERE hash = ${hash} AND ${isNotHeld('ws')}`,
  )
