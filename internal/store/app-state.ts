/** `ctx.state`: JSON kept per app (contract, Apps). */
import { asText } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

export type StateAddress = Readonly<{ ws: string; app: string; key: string }>

export const findState = async (db: Database, at: StateAddress): Promise<string | null> => {
  const row = await db.one(
    sql('SELECT value FROM app_state WHERE ws = ? AND app = ? AND key = ?', at.ws, at.app, at.key),
  )
  return row === null ? null : asText(row.value)
}

export const upsertState = (at: StateAddress, valueJson: string): Statement =>
  sql(
    `INSERT INTO app_state (ws, app, key, value, updated_at) VALUES (?, ?, ?, ?, ${SQL_NOW})
     ON CONFLICT (ws, app, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    at.ws,
    at.app,
    at.key,
    valueJson,
  )
