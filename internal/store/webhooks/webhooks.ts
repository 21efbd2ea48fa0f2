/** Webhooks of the current deployments. They are part of the manifest, so a new deployment replaces them. */
import { z } from 'zod'
import { writtenByNewer } from '#core/newer-svc.ts'
import { type WebhookDefinition, webhookSchema } from '#core/webhook/definition.ts'
import { appRanges } from '../apps/app-ranges.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { number, parsed, type RowOf, row, text, time } from '../row.ts'
import { sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

const pairs = z.array(z.tuple([z.string(), z.string()]))

const parseDefinition = (json: string): WebhookDefinition => {
  const { success, data, error } = webhookSchema.safeParse(JSON.parse(json))
  if (!success) throw writtenByNewer('A webhook of this deployment', error)
  return data
}

const webhookRow = row({
  app: text,
  definition: parsed(parseDefinition),
  /** Who deployed the webhook. */
  deployedBy: text,
  wrappedKey: text,
  /** Keys and ciphertexts of those variables named by the webhook that exist. */
  variables: parsed((json) => pairs.parse(JSON.parse(json))),
})
export type DeployedWebhook = RowOf<typeof webhookRow>

const COLUMNS = sql`apps.key AS app, hook.value AS definition, d.created_by AS deployed_by, w.wrapped_key,
  (SELECT json_group_array(json_array(v.key, v.value)) FROM variables v
    WHERE v.ws = apps.ws AND v.key IN (SELECT value FROM json_each(hook.value, '$.verify.secret'))) AS variables`
const TABLES = sql`apps
  JOIN workspaces w ON w.id = apps.ws AND ${isNotHeld('w.id')}
  JOIN deployments d ON d.id = apps.deployment_id
  JOIN json_each(d.manifest, '$.webhooks') hook`

export type WebhookKey = Readonly<{ ws: string; app: string; key: string }>

/** Finds a currently deployed webhook, or null. */
export const findWebhook = (
  db: Database,
  { ws, app, key }: WebhookKey,
): Promise<DeployedWebhook | null> =>
  webhookRow.one(
    db,
    sql`SELECT ${COLUMNS} FROM ${TABLES}
      WHERE apps.ws = ${ws} AND apps.key = ${app} AND hook.value ->> 'key' = ${key}`,
  )

const listedRow = row({
  ...webhookRow.fields,
  lastReceivedAt: time.nullable,
  lastStatus: number.nullable,
})
export type ListedWebhook = RowOf<typeof listedRow>

const LISTED = sql`SELECT ${COLUMNS}, last.received_at AS last_received_at, last.status AS last_status FROM ${TABLES}
  LEFT JOIN webhook_deliveries last ON last.ws = apps.ws AND last.app = apps.key
    AND last.webhook = hook.value ->> 'key'
    AND last.id = (SELECT max(id) FROM webhook_deliveries x WHERE x.ws = apps.ws AND x.app = apps.key
      AND x.webhook = hook.value ->> 'key')`

/** Finds a webhook with its last delivery, or null. */
export const findListedWebhook = (
  db: Reader,
  { ws, app, key }: WebhookKey,
): Promise<ListedWebhook | null> =>
  listedRow.one(
    db,
    sql`${LISTED} WHERE apps.ws = ${ws} AND apps.key = ${app} AND hook.value ->> 'key' = ${key}`,
  )

export type WebhookPage = Readonly<{ afterApp: string; afterKey: string; limit: number }>

/** Lists the webhooks of a workspace by app and key, each with its last delivery. */
export const listWebhooks = async (
  db: Reader,
  ws: string,
  { afterApp, afterKey, limit }: WebhookPage,
): Promise<readonly ListedWebhook[]> => {
  const list = (within: Statement, most: number) =>
    listedRow.all(
      db,
      sql`${LISTED} WHERE apps.ws = ${ws} AND ${within} ORDER BY apps.key, hook.value ->> 'key' LIMIT ${most}`,
    )
  const ofLastApp = sql`apps.key = ${afterApp} AND hook.value ->> 'key' > ${afterKey}`
  const found = [...(await list(ofLastApp, limit))]
  for await (const inRange of appRanges(db, ws, afterApp)) {
    if (found.length === limit) break
    found.push(...(await list(inRange('apps.key'), limit - found.length)))
  }
  return found
}
