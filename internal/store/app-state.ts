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

/** For whoever may write without a job. */
export const upsertState = (at: StateAddress, valueJson: string): Statement =>
  sql(
    `INSERT INTO app_state (ws, app, key, value, updated_at) VALUES (?, ?, ?, ?, ${SQL_NOW})
     ON CONFLICT (ws, app, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    at.ws,
    at.app,
    at.key,
    valueJson,
  )

/** Writes only while this attempt holds its job and the lease: a lost worker's late word is not kept. */
export const upsertStateOfAttempt = (at: StateAddress, valueJson: string, held: Held): Statement =>
  sql(
    `INSERT INTO app_state (ws, app, key, value, updated_at)
     SELECT jobs.ws, jobs.app, ?, ?, ${SQL_NOW} FROM jobs
     WHERE jobs.ws = ? AND jobs.id = ? AND jobs.attempt = ? AND jobs.app = ?
       AND jobs.status = 'running' AND jobs.lease_until > ${SQL_NOW}
     ON CONFLICT (ws, app, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    at.key,
    valueJson,
    held.ws,
    held.id,
    held.attempt,
    at.app,
  )
