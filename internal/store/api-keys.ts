/** API keys of the parser and the relay [access 12.2]: the hash of the secret, never the secret. */
import { asNumber, asNumberOrNull, asText } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type ApiKey = Readonly<{
  keyId: string
  ws: string
  name: string
  revokedAt: number | null
  createdBy: string
  createdAt: number
}>

const COLUMNS = 'key_id, ws, name, revoked_at, created_by, created_at'

const toApiKey = (row: Row): ApiKey => ({
  keyId: asText(row.key_id),
  ws: asText(row.ws),
  name: asText(row.name),
  revokedAt: asNumberOrNull(row.revoked_at),
  createdBy: asText(row.created_by),
  createdAt: asNumber(row.created_at),
})

export type ApiKeyHolder = Readonly<{ key: ApiKey; hash: string }>

/** Of any workspace: the key itself says which. */
export const findApiKeyHolder = async (
  db: Database,
  keyId: string,
): Promise<ApiKeyHolder | null> => {
  const row = await db.one(sql(`SELECT ${COLUMNS}, hash FROM api_keys WHERE key_id = ?`, keyId))
  return row === null ? null : { key: toApiKey(row), hash: asText(row.hash) }
}

export const findApiKey = async (
  db: Database,
  ws: string,
  keyId: string,
): Promise<ApiKey | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS} FROM api_keys WHERE ws = ? AND key_id = ?`, ws, keyId),
  )
  return row === null ? null : toApiKey(row)
}

export type ApiKeyPosition = Pick<ApiKey, 'createdAt' | 'keyId'>
export type ApiKeyPage = Readonly<{ before: ApiKeyPosition | null; limit: number }>

/** Newest first; ids are random, so time decides. */
export const listApiKeys = async (
  db: Database,
  ws: string,
  { before, limit }: ApiKeyPage,
): Promise<readonly ApiKey[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM api_keys
       WHERE ws = ? AND (? IS NULL OR (created_at, key_id) < (?, ?))
       ORDER BY created_at DESC, key_id DESC LIMIT ?`,
      ws,
      before?.keyId ?? null,
      before?.createdAt ?? null,
      before?.keyId ?? null,
      limit,
    ),
  )
  return rows.map(toApiKey)
}

export type NewApiKey = Pick<ApiKey, 'keyId' | 'ws' | 'name' | 'createdBy'> &
  Readonly<{ hash: string }>

export const insertApiKey = (key: NewApiKey): Statement =>
  sql(
    `INSERT INTO api_keys (key_id, ws, name, hash, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ${SQL_NOW}) ON CONFLICT (key_id) DO NOTHING`,
    key.keyId,
    key.ws,
    key.name,
    key.hash,
    key.createdBy,
  )

/** Revoking twice keeps the first time. */
export const revokeApiKey = (ws: string, keyId: string): Statement =>
  sql(
    `UPDATE api_keys SET revoked_at = ${SQL_NOW} WHERE ws = ? AND key_id = ? AND revoked_at IS NULL`,
    ws,
    keyId,
  )
