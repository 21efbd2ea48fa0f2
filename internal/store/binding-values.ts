/** Values on their way into the libSQL binding and out of it. */
import type { Row, SqlValue } from './database.ts'

/** The binding binds numbers as REAL; whole ones go in as bigint, so that they are INTEGER. */
export const bindValue = (value: SqlValue): SqlValue | bigint =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value

/** @throws {Error} a value of another kind */
export const toSqlValue = (name: string, value: unknown): SqlValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  throw new Error(`Column ${name} holds a value that svc does not use.`)
}

/** Copies a row of the binding with its values checked. @throws {Error} a value is of a type that svc does not store */
export const toRow = (found: unknown): Row => {
  const row: Record<string, SqlValue> = {}
  for (const [name, value] of Object.entries(found ?? {})) row[name] = toSqlValue(name, value)
  return row
}
