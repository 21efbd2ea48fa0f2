/** Converts values and rows to and from sqld's form, so that both transports bind and read like the file backend. */
import { Buffer } from 'node:buffer'
import type { InValue } from '@libsql/client/web'
import { Base64 } from 'js-base64'
import type { Row, SqlValue, StatementResult } from '../database.ts'
import { toSqlValue } from './binding-values.ts'

// The client encodes blobs by this package, whose own code blocks the event loop for 13 ms for each megabyte that it writes and
// for 30 ms for each that it reads, until Node has Uint8Array.fromBase64.
Base64.fromUint8Array = ({ buffer, byteOffset, byteLength }) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
// a copy, because a small Buffer shares its memory with others
Base64.toUint8Array = (text) => new Uint8Array(Buffer.from(text, 'base64'))

/** Binds integers as INTEGER instead of REAL, and NaN and infinite numbers as NULL. */
export const toWireValue = (value: SqlValue): InValue => {
  if (typeof value !== 'number') return value
  if (Number.isSafeInteger(value)) return BigInt(value)
  return Number.isFinite(value) ? value : null
}

const toRow = (columns: readonly string[], row: ArrayLike<unknown>): Row => {
  const values: Record<string, SqlValue> = {}
  for (const [index, name] of columns.entries()) {
    values[name] = toSqlValue(name, row[index] ?? null)
  }
  return values
}

/** Reads the answer to one statement. @throws {Error} a value has a type that svc does not use */
export const toStatementResult = (
  columns: readonly string[],
  rows: readonly ArrayLike<unknown>[],
  changes: number,
): StatementResult => ({ rows: rows.map((row) => toRow(columns, row)), changes })
