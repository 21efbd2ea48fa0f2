/** Outside customers and what their keys may run [access 11.1]. */
import { z } from 'zod'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type Grant = Readonly<{ app: string; action: string }>

export type Consumer = Readonly<{
  id: string
  ws: string
  name: string
  /** What the workspace calls this customer elsewhere, for example in its billing. */
  externalRef: string | null
  disabledAt: number | null
  /** By app, then action. */
  grants: readonly Grant[]
  createdBy: string
  createdAt: number
  updatedAt: number
}>

const COLUMNS = `c.id, c.ws, c.name, c.external_ref, c.disabled_at, c.created_by, c.created_at, c.updated_at,
  (SELECT json_group_array(json_array(app, action)) FROM (
     SELECT g.app, g.action FROM consumer_grants g WHERE g.consumer_id = c.id ORDER BY g.app, g.action)) AS grants`

const grantPairs = z
  .array(z.tuple([z.string(), z.string()]))
  .transform((pairs) => pairs.map(([app, action]): Grant => ({ app, action })))

const toConsumer = (row: Row): Consumer => ({
  id: asText(row.id),
  ws: asText(row.ws),
  name: asText(row.name),
  externalRef: asTextOrNull(row.external_ref),
  disabledAt: asNumberOrNull(row.disabled_at),
  grants: grantPairs.parse(JSON.parse(asText(row.grants))),
  createdBy: asText(row.created_by),
  createdAt: asNumber(row.created_at),
  updatedAt: asNumber(row.updated_at),
})

export const findConsumer = async (
  db: Database,
  ws: string,
  id: string,
): Promise<Consumer | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS} FROM consumers c WHERE c.ws = ? AND c.id = ?`, ws, id),
  )
  return row === null ? null : toConsumer(row)
}

export type ConsumerPage = Readonly<{ beforeId: string | null; limit: number }>

/** Newest first. */
export const listConsumers = async (
  db: Database,
  ws: string,
  { beforeId, limit }: ConsumerPage,
): Promise<readonly Consumer[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM consumers c WHERE c.ws = ? AND (? IS NULL OR c.id < ?)
       ORDER BY c.id DESC LIMIT ?`,
      ws,
      beforeId,
      beforeId,
      limit,
    ),
  )
  return rows.map(toConsumer)
}

export type NewConsumer = Pick<Consumer, 'id' | 'ws' | 'name' | 'externalRef' | 'createdBy'>

export const insertConsumer = (consumer: NewConsumer): Statement =>
  sql(
    `INSERT INTO consumers (id, ws, name, external_ref, created_by, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ${SQL_NOW}, ${SQL_NOW}) ON CONFLICT (id) DO NOTHING`,
    consumer.id,
    consumer.ws,
    consumer.name,
    consumer.externalRef,
    consumer.createdBy,
  )

/** What is left out stays. */
export type ConsumerChange = Readonly<{
  name?: string
  externalRef?: string | null
  isDisabled?: boolean
}>

/** Disabling twice keeps the first time. */
export const updateConsumer = (ws: string, id: string, change: ConsumerChange): Statement => {
  const disabled = change.isDisabled === undefined ? null : Number(change.isDisabled)
  return sql(
    `UPDATE consumers SET name = COALESCE(?, name),
       external_ref = CASE WHEN ? THEN ? ELSE external_ref END,
       disabled_at = CASE ? WHEN 1 THEN COALESCE(disabled_at, ${SQL_NOW}) WHEN 0 THEN NULL
         ELSE disabled_at END,
       updated_at = ${SQL_NOW}
     WHERE ws = ? AND id = ?`,
    change.name ?? null,
    Number(change.externalRef !== undefined),
    change.externalRef ?? null,
    disabled,
    ws,
    id,
  )
}

/** Its keys and grants go with it, its jobs and their billing records stay. The last statement tells whether it was there. */
export const deleteConsumer = (ws: string, id: string): readonly Statement[] => [
  ...['consumer_keys', 'consumer_grants'].map((table) =>
    sql(
      `DELETE FROM ${table} WHERE consumer_id IN (SELECT id FROM consumers WHERE ws = ? AND id = ?)`,
      ws,
      id,
    ),
  ),
  sql('DELETE FROM consumers WHERE ws = ? AND id = ?', ws, id),
]

/** Two statements after `updateConsumer`: in one batch nobody sees a moment without grants. */
export const replaceGrants = (
  ws: string,
  id: string,
  grants: readonly Grant[],
): readonly Statement[] => [
  sql(
    `DELETE FROM consumer_grants
     WHERE consumer_id IN (SELECT id FROM consumers WHERE ws = ? AND id = ?)`,
    ws,
    id,
  ),
  sql(
    `INSERT INTO consumer_grants (consumer_id, app, action)
     SELECT c.id, g.value ->> 0, g.value ->> 1 FROM consumers c, json_each(?) g
     WHERE c.ws = ? AND c.id = ? ON CONFLICT DO NOTHING`,
    JSON.stringify(grants.map(({ app, action }) => [app, action])),
    ws,
    id,
  ),
]

/** Which of `grants` name no action of a current deployment, by their place in the list. */
export const findUnknownGrants = async (
  db: Database,
  ws: string,
  grants: readonly Grant[],
): Promise<readonly number[]> => {
  const rows = await db.all(
    sql(
      `SELECT g.key FROM json_each(?) g WHERE NOT EXISTS (
         SELECT 1 FROM apps JOIN deployment_actions a ON a.deployment_id = apps.deployment_id
         WHERE apps.ws = ? AND apps.key = g.value ->> 0 AND a.key = g.value ->> 1)
       ORDER BY g.key`,
      JSON.stringify(grants.map(({ app, action }) => [app, action])),
      ws,
    ),
  )
  return rows.map(({ key }) => asNumber(key))
}

export type GrantAddress = Grant & Readonly<{ ws: string; consumerId: string }>

/** A condition for `insertJob`: the grant holds at the moment of the insert. */
export const holdsGrant = ({ ws, consumerId, app, action }: GrantAddress): Statement =>
  sql(
    `EXISTS (SELECT 1 FROM consumer_grants g JOIN consumers c ON c.id = g.consumer_id
       WHERE c.ws = ? AND c.id = ? AND c.disabled_at IS NULL AND g.app = ? AND g.action = ?)`,
    ws,
    consumerId,
    app,
    action,
  )

export const hasGrant = async (db: Database, at: GrantAddress): Promise<boolean> => {
  const condition = holdsGrant(at)
  const row = await db.one(sql(`SELECT ${condition.sql} AS holds`, ...condition.args))
  return row?.holds === 1
}
