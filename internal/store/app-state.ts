/** `ctx.state`: JSON kept per app (contract, Apps). */
import { asText } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'
import type { Held } from './job-queue.ts'

export type StateAddress = Readonly<{ ws: string; app: string; key: string }>

export const findState = async (db: Database, at: StateAddress): Promise<string | null> => {
  const row = await db.one(
    sql('SELECT value FROM app_state WHERE ws = ? AND app = ? AND key = ?', at.ws, at.app, at.key),
  )
  return row === null ? null : asText(row.value)
}

/** Changes no row unless `held` is the attempt that runs: a lost worker's late word is not kept. */
export const upsertState = (at: StateAddress, valueJson: string, held: Held): Statement =>
  sql(
    `INSERT INTO app_state (ws, app, key, value, updated_at)
     SELECT ?, ?, ?, ?, ${SQL_NOW} FROM jobs
     WHERE ws = ? AND id = ? AND attempt = ? AND status = 'running'
     ON CONFLICT (ws, app, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    at.ws,
    at.app,
    at.key,
    valueJson,
    held.ws,
    held.id,
    held.attempt,
  )
