/** The last deliveries of each webhook [webhooks 6]. Their number is limited, so that a flood of calls does not fill the table. */
import type { Database, Reader, Statement } from '../database.ts'
import { number, type RowOf, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

/** Number of deliveries kept for each webhook. */
export const KEPT_DELIVERIES = 50

export type WebhookAddress = Readonly<{ ws: string; app: string; webhook: string }>

const deliveryRow = row({
  /** UUIDv7. */
  id: text,
  receivedAt: time,
  status: number,
  reason: text.nullable,
  jobId: text.nullable,
  flowRunId: text.nullable,
  bytes: number,
})
export type StoredDelivery = RowOf<typeof deliveryRow>

export type WebhookDelivery = WebhookAddress & Omit<StoredDelivery, 'receivedAt'>

const isOf = ({ ws, app, webhook }: WebhookAddress): Statement =>
  sql`ws = ${ws} AND app = ${app} AND webhook = ${webhook}`

/** Deletes the deliveries of a webhook that are older than the last ones. */
export const pruneDeliveries = (at: WebhookAddress): Statement =>
  sql`DELETE FROM webhook_deliveries WHERE ${isOf(at)} AND id <=
    (SELECT id FROM webhook_deliveries WHERE ${isOf(at)} ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_DELIVERIES})`

/** Inserts a delivery together with what it starts. @param guard whether that was inserted */
export const insertDelivery = (delivery: WebhookDelivery, guard: Statement): Statement =>
  sql`INSERT INTO webhook_deliveries (ws, app, webhook, id, received_at, status, reason, job_id, flow_run_id, bytes)
    SELECT ${delivery.ws}, ${delivery.app}, ${delivery.webhook}, ${delivery.id}, ${SQL_NOW}, ${delivery.status},
      ${delivery.reason}, ${delivery.jobId}, ${delivery.flowRunId}, ${delivery.bytes}
    WHERE ${guard}
    ON CONFLICT DO NOTHING`

/** Inserts deliveries of apps that still exist. An existing one gets the status of its final response. */
export const upsertDeliveries = (deliveries: readonly WebhookDelivery[]): Statement => {
  const rows = deliveries.map((delivery) => [
    delivery.ws,
    delivery.app,
    delivery.webhook,
    delivery.id,
    delivery.status,
    delivery.reason,
    delivery.jobId,
    delivery.flowRunId,
    delivery.bytes,
  ])
  return sql`INSERT INTO webhook_deliveries (ws, app, webhook, id, received_at, status, reason, job_id, flow_run_id, bytes)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, ${SQL_NOW}, value ->> 4, value ->> 5, value ->> 6,
      value ->> 7, value ->> 8 FROM json_each(${JSON.stringify(rows)})
    WHERE EXISTS (SELECT 1 FROM apps WHERE apps.ws = value ->> 0 AND apps.key = value ->> 1)
    ON CONFLICT (ws, app, webhook, id) DO UPDATE SET status = excluded.status, reason = excluded.reason`
}

/** Lists the last deliveries of a webhook, newest first. */
export const listDeliveries = (
  db: Reader,
  at: WebhookAddress,
): Promise<readonly StoredDelivery[]> =>
  deliveryRow.all(
    db,
    sql`SELECT ${deliveryRow.columns()} FROM webhook_deliveries WHERE ${isOf(at)}
      ORDER BY id DESC LIMIT ${KEPT_DELIVERIES}`,
  )

/** Finds a delivery of a webhook, or null. */
export const findDelivery = (
  db: Database,
  at: WebhookAddress,
  id: string,
): Promise<StoredDelivery | null> =>
  deliveryRow.one(
    db,
    sql`SELECT ${deliveryRow.columns()} FROM webhook_deliveries WHERE ${isOf(at)} AND id = ${id}`,
  )
