/** Retention of tables whose rows depend on no other table: they are deleted some days after a time in them. */
import { DAY_MS } from '#core/time-units.ts'
import type { Database, Statement } from './database.ts'
import { exists } from './row.ts'
import { raw, SQL_NOW, sql } from './sql.ts'

/** The tables with their primary keys and the column of that time, which an index has. */
const TABLES = {
  audit_log: { key: 'id', at: 'at' },
  function_calls: { key: 'ws, app, name, id', at: 'at' },
  notifications: { key: 'ws, id', at: 'ended_at' },
  schedule_slots: { key: 'schedule_id, slot', at: 'at' },
  webhook_deliveries: { key: 'ws, app, webhook, id', at: 'received_at' },
} as const
export type OldRowsTable = keyof typeof TABLES

const oldRowsOf = (table: OldRowsTable, days: number): Statement =>
  sql`${raw(table)} WHERE ${raw(TABLES[table].at)} < ${SQL_NOW} - ${days * DAY_MS}`

/** Returns whether a table has rows older than `days`. It only reads, so that an idle node writes nothing. */
export const hasOldRows = (db: Database, table: OldRowsTable, days: number): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM ${oldRowsOf(table, days)} LIMIT 1`)

/** Deletes up to `limit` rows older than `days`, oldest first, of all workspaces and of the instance. */
export const deleteOldRows = (table: OldRowsTable, days: number, limit: number): Statement => {
  const { key, at } = TABLES[table]
  return sql`DELETE FROM ${raw(table)} WHERE (${raw(key)}) IN
    (SELECT ${raw(key)} FROM ${oldRowsOf(table, days)} ORDER BY ${raw(at)} LIMIT ${limit})`
}
