/** API keys of the parser and the relay [access 12.2]. Only a hash of the secret is stored. */
import { asText } from '../column.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { type RowOf, row, text, time } from '../row.ts'
import { searchRows } from '../search.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

const apiKeyRow = row({
  keyId: text,
  ws: text,
  name: text,
  revokedAt: time.nullable,
  createdBy: text,
  createdAt: time,
})
export type ApiKey = RowOf<typeof apiKeyRow>

export type ApiKeyHolder = Readonly<{ key: ApiKey; hash: string }>

/** Finds a key with its hash. It searches all workspaces, because the caller knows the workspace only from the key. */
export const findApiKeyHolder = async (
  db: Database,
  keyId: string,
): Promise<ApiKeyHolder | null> => {
  const row = await db.one(
    sql`SELECT ${apiKeyRow.columns()}, hash FROM api_keys WHERE key_id = ${keyId} AND ${isNotHeld('ws')}`,
  )
  return row === null ? null : { key: apiKeyRow.read(row), hash: asText(row.hash) }
}

/** Finds an API key of the workspace, even if it is revoked. */
export const findApiKey = (db: Database, ws: string, keyId: string): Promise<ApiKey | null> =>
  apiKeyRow.one(
    db,
    sql`SELECT ${apiKeyRow.columns()} FROM api_keys WHERE ws = ${ws} AND key_id = ${keyId}`,
  )

export type ApiKeyPosition = Pick<ApiKey, 'createdAt' | 'keyId'>
export type ApiKeyPage = Readonly<{ before: ApiKeyPosition | null; limit: number }>

/** Lists the keys of a workspace, newest first. It sorts by time, since ids are random. */
export const listApiKeys = (
  db: Reader,
  ws: string,
  { before, limit }: ApiKeyPage,
): Promise<readonly ApiKey[]> => {
  const list = {
    from: raw('api_keys INDEXED BY api_keys_by_time'),
    within: sql`ws = ${ws}`,
    matching: TRUE,
    key: ['created_at', 'key_id'],
  }
  return searchRows(db, list, {
    columns: apiKeyRow.columns(),
    read: (page) => apiKeyRow.all(db, page),
    before: before === null ? null : [before.createdAt, before.keyId],
    limit,
  })
}

export type NewApiKey = Pick<ApiKey, 'keyId' | 'ws' | 'name' | 'createdBy'> &
  Readonly<{ hash: string }>

/** Inserts a key. Running it twice inserts once. */
export const insertApiKey = (key: NewApiKey): Statement =>
  sql`INSERT INTO api_keys (key_id, ws, name, hash, created_by, created_at)
    VALUES (${key.keyId}, ${key.ws}, ${key.name}, ${key.hash}, ${key.createdBy}, ${SQL_NOW})
    ON CONFLICT (key_id) DO NOTHING`

/** Revokes a key. Revoking twice keeps the first time. */
export const revokeApiKey = (ws: string, keyId: string): Statement =>
  sql`UPDATE api_keys SET revoked_at = ${SQL_NOW} WHERE ws = ${ws} AND key_id = ${keyId} AND revoked_at IS NULL`
