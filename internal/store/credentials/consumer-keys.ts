/** API keys of customers. Only the hash and the prefix of a key are stored. */
import type { Database, Reader, Statement } from '../database.ts'
import { exists, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, isBehind } from '../search.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

const consumerKeyRow = row({
  id: text,
  ws: text,
  consumerId: text,
  label: text,
  prefix: text,
  expiresAt: time.nullable,
  revokedAt: time.nullable,
  createdBy: text,
  createdAt: time,
})
export type ConsumerKey = RowOf<typeof consumerKeyRow>

/** Finds a key of the customer, even if it is revoked. */
export const findConsumerKey = (
  db: Database,
  ws: string,
  consumerId: string,
  id: string,
): Promise<ConsumerKey | null> =>
  consumerKeyRow.one(
    db,
    sql`SELECT ${consumerKeyRow.columns('k')} FROM consumer_keys k WHERE k.ws = ${ws}
      AND k.consumer_id = ${consumerId} AND k.id = ${id}`,
  )

export type ConsumerKeyHolder = Readonly<{
  key: ConsumerKey
  isExpired: boolean
  consumerDisabled: boolean
}>

/** Finds a key by its hash, with all that authentication checks. The database's clock decides whether it has expired. */
export const findConsumerKeyByHash = async (
  db: Database,
  hash: string,
): Promise<ConsumerKeyHolder | null> => {
  const row = await db.one(
    sql`SELECT ${consumerKeyRow.columns('k')}, k.expires_at IS NOT NULL AND k.expires_at <= ${SQL_NOW} AS expired,
        c.disabled_at IS NOT NULL AS consumer_disabled
      FROM consumer_keys k JOIN consumers c ON c.id = k.consumer_id WHERE k.hash = ${hash}
        AND ${isNotHeld('k.ws')}`,
  )
  if (row === null) return null
  return {
    key: consumerKeyRow.read(row),
    isExpired: row.expired === 1,
    consumerDisabled: row.consumer_disabled === 1,
  }
}

/** Lists the keys of a customer, newest first. */
export const listConsumerKeys = (
  db: Reader,
  { ws, id }: Readonly<Record<'ws' | 'id', string>>,
  { beforeId, limit }: IdPage,
): Promise<readonly ConsumerKey[]> =>
  consumerKeyRow.all(
    db,
    sql`SELECT ${consumerKeyRow.columns('k')} FROM consumer_keys k INDEXED BY consumer_keys_by_consumer
      WHERE k.ws = ${ws} AND k.consumer_id = ${id} AND ${isBehind('k.id', beforeId)} ORDER BY k.id DESC LIMIT ${limit}`,
  )

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

/** Inserts a key. Inserts nothing if the workspace has no such customer. */
export const insertConsumerKey = (key: NewConsumerKey): Statement =>
  sql`INSERT INTO consumer_keys (id, ws, consumer_id, label, hash, prefix, expires_at, created_by, created_at)
    SELECT ${key.id}, c.ws, c.id, ${key.label}, ${key.hash}, ${key.prefix},
      ${SQL_NOW} + ${key.expiresInDays} * 86400000, ${key.createdBy}, ${SQL_NOW}
    FROM consumers c WHERE c.id = ${key.consumerId} AND c.ws = ${key.ws} ON CONFLICT (id) DO NOTHING`

/** Revokes a key. Revoking twice keeps the first time. */
export const revokeConsumerKey = (ws: string, consumerId: string, id: string): Statement =>
  sql`UPDATE consumer_keys SET revoked_at = ${SQL_NOW}
    WHERE id = ${id} AND consumer_id = ${consumerId} AND ws = ${ws} AND revoked_at IS NULL`

/** Returns whether a customer has at least `count` keys. */
export const hasManyConsumerKeys = (
  db: Database,
  { ws, id }: Readonly<Record<'ws' | 'id', string>>,
  count: number,
): Promise<boolean> =>
  exists(
    db,
    sql`SELECT 1 FROM consumer_keys INDEXED BY consumer_keys_by_consumer WHERE consumer_id = ${id} AND ws = ${ws}
      LIMIT 1 OFFSET ${count - 1}`,
  )

/** Deletes some keys of a customer. */
export const deleteSomeConsumerKeys = (ws: string, consumerId: string, limit: number): Statement =>
  sql`DELETE FROM consumer_keys WHERE id IN (SELECT id FROM consumer_keys INDEXED BY consumer_keys_by_consumer
    WHERE consumer_id = ${consumerId} AND ws = ${ws} LIMIT ${limit})`
