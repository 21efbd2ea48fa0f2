/** Keys of outside customers: hash and prefix, never the text. */
import { asNumber, asNumberOrNull, asText } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type ConsumerKey = Readonly<{
  id: string
  ws: string
  consumerId: string
  label: string
  prefix: string
  expiresAt: number | null
  revokedAt: number | null
  createdBy: string
  createdAt: number
}>

const COLUMNS =
  'k.id, k.ws, k.consumer_id, k.label, k.prefix, k.expires_at, k.revoked_at, k.created_by, k.created_at'

const toConsumerKey = (row: Row): ConsumerKey => ({
  id: asText(row.id),
  ws: asText(row.ws),
  consumerId: asText(row.consumer_id),
  label: asText(row.label),
  prefix: asText(row.prefix),
  expiresAt: asNumberOrNull(row.expires_at),
  revokedAt: asNumberOrNull(row.revoked_at),
  createdBy: asText(row.created_by),
  createdAt: asNumber(row.created_at),
})

export const findConsumerKey = async (
  db: Database,
  ws: string,
  consumerId: string,
  id: string,
): Promise<ConsumerKey | null> => {
  const row = await db.one(
    sql(
      `SELECT ${COLUMNS} FROM consumer_keys k WHERE k.ws = ? AND k.consumer_id = ? AND k.id = ?`,
      ws,
      consumerId,
      id,
    ),
  )
  return row === null ? null : toConsumerKey(row)
}

export type ConsumerKeyHolder = Readonly<{
  key: ConsumerKey
  isExpired: boolean
  consumerDisabled: boolean
}>

/** One read for the whole check; expiry is decided by the database's clock. */
export const findConsumerKeyByHash = async (
  db: Database,
  hash: string,
): Promise<ConsumerKeyHolder | null> => {
  const row = await db.one(
    sql(
      `SELECT ${COLUMNS}, k.expires_at IS NOT NULL AND k.expires_at <= ${SQL_NOW} AS expired,
         c.disabled_at IS NOT NULL AS consumer_disabled
       FROM consumer_keys k JOIN consumers c ON c.id = k.consumer_id WHERE k.hash = ?`,
      hash,
    ),
  )
  if (row === null) return null
  return {
    key: toConsumerKey(row),
    isExpired: row.expired === 1,
    consumerDisabled: row.consumer_disabled === 1,
  }
}

/** Newest first; all of them, since a customer has few. */
export const listConsumerKeys = async (
  db: Database,
  ws: string,
  consumerId: string,
): Promise<readonly ConsumerKey[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM consumer_keys k WHERE k.ws = ? AND k.consumer_id = ? ORDER BY k.id DESC`,
      ws,
      consumerId,
    ),
  )
  return rows.map(toConsumerKey)
}

export type NewConsumerKey = Readonly<{
  id: string
  ws: string
  consumerId: string
  label: string
  hash: string
  prefix: string
  expiresInDays: number | null
  createdBy: string
}>

/** Inserts nothing when the customer is not one of the workspace. */
export const insertConsumerKey = (key: NewConsumerKey): Statement =>
  sql(
    `INSERT INTO consumer_keys (id, ws, consumer_id, label, hash, prefix, expires_at, created_by, created_at)
     SELECT ?, c.ws, c.id, ?, ?, ?, ${SQL_NOW} + ? * 86400000, ?, ${SQL_NOW}
     FROM consumers c WHERE c.id = ? AND c.ws = ? ON CONFLICT (id) DO NOTHING`,
    key.id,
    key.label,
    key.hash,
    key.prefix,
    key.expiresInDays,
    key.createdBy,
    key.consumerId,
    key.ws,
  )

/** Revoking twice keeps the first time. */
export const revokeConsumerKey = (ws: string, consumerId: string, id: string): Statement =>
  sql(
    `UPDATE consumer_keys SET revoked_at = ${SQL_NOW}
     WHERE id = ? AND consumer_id = ? AND ws = ? AND revoked_at IS NULL`,
    id,
    consumerId,
    ws,
  )
