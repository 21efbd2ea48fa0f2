/** Customers and the actions that their keys may run [access 11.1]. */
import { z } from 'zod'
import type { AppAddress } from '#core/app-address.ts'
import type { Database, Statement } from '../database.ts'
import { exists, number, parsed, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, isBehind } from '../search.ts'
import { listed, raw, SQL_NOW, sql } from '../sql.ts'

export type Grant = Readonly<{ app: string; action: string }>

const consumerRow = row({
  id: text,
  ws: text,
  name: text,
  /** How other systems of the workspace, such as its billing, identify the customer. */
  externalRef: text.nullable,
  disabledAt: time.nullable,
  /** Sorted by app, then action. */
  grants: parsed((json) => grantPairs.parse(JSON.parse(json)))(
    sql`(SELECT json_group_array(json_array(app, action)) FROM (
      SELECT g.app, g.action FROM consumer_grants g WHERE g.consumer_id = c.id ORDER BY g.app, g.action))`,
  ),
  createdBy: text,
  createdAt: time,
  updatedAt: time,
})
export type Consumer = RowOf<typeof consumerRow>

const grantPairs = z
  .array(z.tuple([z.string(), z.string()]))
  .transform((pairs) => pairs.map(([app, action]): Grant => ({ app, action })))

/** Finds a customer of the workspace. */
export const findConsumer = (db: Database, ws: string, id: string): Promise<Consumer | null> =>
  consumerRow.one(
    db,
    sql`SELECT ${consumerRow.columns('c')} FROM consumers c WHERE c.ws = ${ws} AND c.id = ${id}`,
  )

/** Lists the customers of a workspace, newest first. */
export const listConsumers = (
  db: Database,
  ws: string,
  { beforeId, limit }: IdPage,
): Promise<readonly Consumer[]> =>
  consumerRow.all(
    db,
    sql`SELECT ${consumerRow.columns('c')} FROM consumers c WHERE c.ws = ${ws}
      AND ${isBehind('c.id', beforeId)}
      ORDER BY c.id DESC LIMIT ${limit}`,
  )

export type NewConsumer = Pick<Consumer, 'id' | 'ws' | 'name' | 'externalRef' | 'createdBy'>

/** Inserts a customer without grants. Running it twice inserts once. */
export const insertConsumer = (consumer: NewConsumer): Statement =>
  sql`INSERT INTO consumers (id, ws, name, external_ref, created_by, created_at, updated_at)
    VALUES (${consumer.id}, ${consumer.ws}, ${consumer.name}, ${consumer.externalRef}, ${consumer.createdBy},
      ${SQL_NOW}, ${SQL_NOW}) ON CONFLICT (id) DO NOTHING`

/** A change of a customer. Absent fields keep their values. */
export type ConsumerChange = Readonly<{
  name?: string
  externalRef?: string | null
  isDisabled?: boolean
}>

/** Changes a customer. Disabling twice keeps the first time. */
export const updateConsumer = (ws: string, id: string, change: ConsumerChange): Statement => {
  const { name = null, externalRef, isDisabled = null } = change
  return sql`UPDATE consumers SET name = COALESCE(${name}, name),
      external_ref = CASE WHEN ${externalRef !== undefined} THEN ${externalRef ?? null} ELSE external_ref END,
      disabled_at = CASE ${isDisabled} WHEN 1 THEN COALESCE(disabled_at, ${SQL_NOW}) WHEN 0 THEN NULL
        ELSE disabled_at END,
      updated_at = ${SQL_NOW}
    WHERE ws = ${ws} AND id = ${id}`
}

/** Deletes a customer with its keys and grants, the customer last. Its jobs and their billing records remain. */
export const deleteConsumer = (ws: string, id: string): readonly Statement[] => [
  ...['consumer_keys', 'consumer_grants'].map(
    (table) =>
      sql`DELETE FROM ${raw(table)} WHERE consumer_id IN (SELECT id FROM consumers WHERE ws = ${ws} AND id = ${id})`,
  ),
  sql`DELETE FROM consumers WHERE ws = ${ws} AND id = ${id}`,
]

export type ConsumersPage = Readonly<{ ws: string; afterId: string; limit: number }>

/** Lists the ids of the customers of a workspace, in order. */
export const listConsumerIds = (
  db: Database,
  { ws, afterId, limit }: ConsumersPage,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT id FROM consumers WHERE ws = ${ws} AND id > ${afterId} ORDER BY id LIMIT ${limit}`,
  )

/** The grants of an app. Customers of other workspaces may have grants of an app with its key. */
const grantsIn = ({ ws, app }: AppAddress): Statement =>
  sql`consumer_grants g INDEXED BY consumer_grants_by_app CROSS JOIN consumers c ON c.id = g.consumer_id
    WHERE g.app = ${app} AND c.ws = ${ws}`

/** Returns whether the customers of a workspace have at least `count` grants of an app. */
export const haveManyGrants = (
  db: Database,
  { ws, app }: AppAddress,
  count: number,
): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM ${grantsIn({ ws, app })} LIMIT 1 OFFSET ${count - 1}`)

/** Deletes the grants of an app. */
export const deleteGrants = (address: AppAddress): Statement =>
  sql`DELETE FROM consumer_grants WHERE (consumer_id, app, action) IN (
    SELECT g.consumer_id, g.app, g.action FROM ${grantsIn(address)})`

const grantsOf = (app: string, ids: readonly string[]): Statement =>
  sql`consumer_grants WHERE app = ${app} AND consumer_id IN ${listed(ids)}`

/** Returns whether one of these customers has a grant of an app. */
export const haveGrants = (db: Database, app: string, ids: readonly string[]): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM ${grantsOf(app, ids)}`)

/** Deletes some grants of an app that these customers have. */
export const deleteSomeGrants = (app: string, ids: readonly string[], limit: number): Statement =>
  sql`DELETE FROM consumer_grants WHERE (consumer_id, app, action) IN (
    SELECT consumer_id, app, action FROM ${grantsOf(app, ids)} LIMIT ${limit})`

/** Selects what the version of a customer's grants stands for. */
export const grantsContent = (ws: string, id: string): Statement =>
  sql`SELECT json_group_array(json_array(app, action)) FROM (
    SELECT g.app, g.action FROM consumer_grants g JOIN consumers c ON c.id = g.consumer_id
    WHERE c.ws = ${ws} AND c.id = ${id} ORDER BY g.app, g.action)`

const toPairs = (grants: readonly Grant[]): string =>
  JSON.stringify(grants.map(({ app, action }) => [app, action]))

/** Replaces the grants. Runs after `updateConsumer` in the same batch, so that no reader sees the customer without grants. */
export const replaceGrants = (
  ws: string,
  id: string,
  grants: readonly Grant[],
): readonly Statement[] => [
  sql`DELETE FROM consumer_grants
    WHERE consumer_id IN (SELECT id FROM consumers WHERE ws = ${ws} AND id = ${id})`,
  sql`INSERT INTO consumer_grants (consumer_id, app, action)
    SELECT c.id, g.value ->> 0, g.value ->> 1
    FROM consumers c, json_each(${toPairs(grants)}) g
    WHERE c.ws = ${ws} AND c.id = ${id} ON CONFLICT DO NOTHING`,
]

/** Returns the indexes in `grants` of those that name no action of a current deployment. */
export const findUnknownGrants = (
  db: Database,
  ws: string,
  grants: readonly Grant[],
): Promise<readonly number[]> =>
  number.all(
    db,
    sql`SELECT g.key FROM json_each(${toPairs(grants)}) g WHERE NOT EXISTS (
        SELECT 1 FROM apps JOIN deployment_actions a ON a.deployment_id = apps.deployment_id
        WHERE apps.ws = ${ws} AND apps.key = g.value ->> 0 AND a.key = g.value ->> 1)
      ORDER BY g.key`,
  )

export type GrantAddress = Grant & Readonly<{ ws: string; consumerId: string }>

/** A condition for `insertJob`: the customer has the grant at the moment of the insert. */
export const holdsGrant = ({ ws, consumerId, app, action }: GrantAddress): Statement =>
  sql`EXISTS (SELECT 1 FROM consumer_grants g JOIN consumers c ON c.id = g.consumer_id
      WHERE c.ws = ${ws} AND c.id = ${consumerId} AND c.disabled_at IS NULL AND g.app = ${app}
      AND g.action = ${action})`

/** Returns whether the customer may run the action now. */
export const hasGrant = (db: Database, at: GrantAddress): Promise<boolean> =>
  exists(db, sql`SELECT 1 WHERE ${holdsGrant(at)}`)
