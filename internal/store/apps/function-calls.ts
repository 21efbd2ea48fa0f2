/** Calls of functions, with status, duration and output. They are kept as long as jobs. */

import type { Reader, Statement } from '../database.ts'
import { number, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, isBehind } from '../search.ts'
import { SQL_NOW, sql } from '../sql.ts'

const storedCallRow = row({
  /** UUIDv7. */
  id: text,
  /** The id of its request, which the caller may have chosen. */
  requestId: text(sql`COALESCE(request_id, id)`),
  method: text,
  status: number,
  durationMs: number,
  error: text.nullable,
  log: text.nullable,
  at: time,
})
export type StoredCall = RowOf<typeof storedCallRow>

export type FunctionCall = Omit<StoredCall, 'at'> &
  Readonly<{ ws: string; app: string; name: string }>

/** Inserts many calls with one statement. */
export const insertFunctionCalls = (calls: readonly FunctionCall[]): Statement => {
  const rows = calls.map((call) => [
    call.ws,
    call.app,
    call.name,
    call.id,
    call.method,
    call.status,
    call.durationMs,
    call.error,
    call.log,
    call.requestId,
  ])
  return sql`INSERT INTO function_calls (ws, app, name, id, method, status, duration_ms, error, log, request_id, at)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
      value ->> 7, value ->> 8, value ->> 9, ${SQL_NOW} FROM json_each(${JSON.stringify(rows)}) WHERE true
    ON CONFLICT DO NOTHING`
}

/** Lists the calls of one function, newest first. */
export const listFunctionCalls = (
  db: Reader,
  { ws, app, name }: Readonly<{ ws: string; app: string; name: string }>,
  { beforeId, limit }: IdPage,
): Promise<readonly StoredCall[]> =>
  storedCallRow.all(
    db,
    sql`SELECT ${storedCallRow.columns()} FROM function_calls
      WHERE ws = ${ws} AND app = ${app} AND name = ${name} AND ${isBehind('id', beforeId)}
      ORDER BY id DESC LIMIT ${limit}`,
  )
