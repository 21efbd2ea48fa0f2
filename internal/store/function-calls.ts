/** The calls of functions: status and duration of each, and what it wrote. Kept as long as jobs. */
import { asNumber, asText, asTextOrNull } from './column.ts'
import { type Reader, SQL_NOW, type Statement, sql } from './database.ts'

export type FunctionCall = Readonly<{
  ws: string
  app: string
  name: string
  /** UUIDv7: the request's. */
  id: string
  method: string
  status: number
  durationMs: number
  error: string | null
  log: string | null
}>

export type StoredCall = Omit<FunctionCall, 'ws' | 'app' | 'name'> & Readonly<{ at: number }>

/** Many at once. */
export const insertFunctionCalls = (calls: readonly FunctionCall[]): Statement =>
  sql(
    `INSERT INTO function_calls (ws, app, name, id, method, status, duration_ms, error, log, at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
       value ->> 7, value ->> 8, ${SQL_NOW} FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
    JSON.stringify(
      calls.map((call) => [
        call.ws,
        call.app,
        call.name,
        call.id,
        call.method,
        call.status,
        call.durationMs,
        call.error,
        call.log,
      ]),
    ),
  )

export type CallPage = Readonly<{ beforeId: string | null; limit: number }>

/** Newest first. */
export const listFunctionCalls = async (
  db: Reader,
  { ws, app, name }: Readonly<{ ws: string; app: string; name: string }>,
  { beforeId, limit }: CallPage,
): Promise<readonly StoredCall[]> => {
  const rows = await db.all(
    sql(
      `SELECT id, method, status, duration_ms, error, log, at FROM function_calls
       WHERE ws = ? AND app = ? AND name = ? AND (? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?`,
      ws,
      app,
      name,
      beforeId,
      beforeId,
      limit,
    ),
  )
  return rows.map((row) => ({
    id: asText(row.id),
    method: asText(row.method),
    status: asNumber(row.status),
    durationMs: asNumber(row.duration_ms),
    error: asTextOrNull(row.error),
    log: asTextOrNull(row.log),
    at: asNumber(row.at),
  }))
}

const isOlder = `at < ${SQL_NOW} - ? * 86400000`

/** A look without a write. */
export const hasOldFunctionCalls = async (db: Reader, days: number): Promise<boolean> =>
  (await db.one(sql(`SELECT 1 FROM function_calls WHERE ${isOlder} LIMIT 1`, days))) !== null

export const deleteOldFunctionCalls = (days: number, limit: number): Statement =>
  sql(
    `DELETE FROM function_calls WHERE (ws, app, name, id) IN
       (SELECT ws, app, name, id FROM function_calls WHERE ${isOlder} ORDER BY at LIMIT ?)`,
    days,
    limit,
  )
