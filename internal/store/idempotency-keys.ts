/** `Idempotency-Key` [wire 5]. A key belongs to a credential and a route, and is valid for 24 hours. */
import type { AppAddress } from '#core/app-address.ts'
import { DAY_MS } from '#core/time-units.ts'
import type { Database, Statement } from './database.ts'
import { type RowOf, row, text } from './row.ts'
import { raw, SQL_NOW, sql } from './sql.ts'

/** How long a key is valid. */
export const KEY_KEPT_MS = DAY_MS

export type IdempotencyKey = Readonly<{
  ws: string
  credential: string
  route: string
  key: string
}>

export type IdempotencyClaim = IdempotencyKey &
  Readonly<{
    bodyHash: string
    /** Id of what the request makes, in its `KeyedTable`. */
    madeId: string
  }>

/** What the deliveries of a webhook have as their credential. */
export const credentialOfWebhook = (app: string, webhook: string): string =>
  `webhook:${app}/${webhook}`

/** What keys that scripts name have as their credential. All code of the app shares them, but never two customers. */
export const credentialOfApp = (app: string, customerId: string | null): string =>
  customerId === null ? `app:${app}` : `app:${app} customer:${customerId}`

/** A condition: the key belongs to a webhook of the app. `0` follows `/`. */
export const isOfWebhooks = ({ ws, app }: AppAddress): Statement =>
  sql`ws = ${ws} AND credential >= ${`webhook:${app}/`} AND credential < ${`webhook:${app}0`}`

/** A condition: the key was named by code of the app. `!` follows the space before a customer. */
export const isOfAppCode = ({ ws, app }: AppAddress): Statement =>
  sql`ws = ${ws} AND credential >= ${`app:${app}`} AND credential < ${`app:${app}!`}`

const isAt = ({ ws, credential, route, key }: IdempotencyKey): Statement =>
  sql`ws = ${ws} AND credential = ${credential} AND route = ${route} AND key = ${key}`

/** Where the row that a key makes is found, by workspace and id. */
export type KeyedTable = 'jobs' | 'flow_runs' | 'credit_entries' | 'operations'

/** Claims the key for `madeId` unless another request holds it. */
export const insertIdempotencyKey = (claim: IdempotencyClaim): readonly Statement[] => [
  sql`DELETE FROM idempotency_keys WHERE ${isAt(claim)} AND created_at < ${SQL_NOW} - ${KEY_KEPT_MS}`,
  sql`INSERT INTO idempotency_keys (ws, credential, route, key, body_hash, job_id, created_at)
    VALUES (${claim.ws}, ${claim.credential}, ${claim.route}, ${claim.key}, ${claim.bodyHash}, ${claim.madeId},
      ${SQL_NOW})
    ON CONFLICT DO NOTHING`,
]

/** A condition for the insert of what the request makes: it holds the key. */
export const holdsIdempotencyKey = (claim: IdempotencyClaim): Statement =>
  sql`EXISTS (SELECT 1 FROM idempotency_keys WHERE ${isAt(claim)} AND job_id = ${claim.madeId})`

/** Releases the key if no row was inserted for it. */
export const deleteIdempotencyKey = (claim: IdempotencyClaim, table: KeyedTable): Statement =>
  sql`DELETE FROM idempotency_keys WHERE ${isAt(claim)} AND job_id = ${claim.madeId}
    AND NOT EXISTS (SELECT 1 FROM ${raw(table)} made WHERE made.ws = idempotency_keys.ws
      AND made.id = idempotency_keys.job_id)`

/** Moves the key to another job, if the statement right before it changed one row. */
export const moveIdempotencyKey = (claim: IdempotencyClaim, toId: Statement): Statement =>
  sql`UPDATE idempotency_keys SET job_id = ${toId}
    WHERE ${isAt(claim)} AND job_id = ${claim.madeId} AND changes() = 1`

const usedKey = row({ bodyHash: text, madeId: text('job_id') })
export type UsedKey = RowOf<typeof usedKey>

/** Finds what a key was used for within the last 24 hours, or null. */
export const findIdempotencyKey = (db: Database, at: IdempotencyKey): Promise<UsedKey | null> =>
  usedKey.one(
    db,
    sql`SELECT ${usedKey.columns()} FROM idempotency_keys
      WHERE ${isAt(at)} AND created_at >= ${SQL_NOW} - ${KEY_KEPT_MS}`,
  )
