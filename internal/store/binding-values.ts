/** Values on their way into the libSQL binding and out of it. */
import { Buffer } from 'node:buffer'
import type { Row, SqlValue } from './database.ts'

/** The binding binds numbers as REAL; whole ones go in as bigint, so that they are INTEGER. */
export const bindValue = (value: SqlValue): SqlValue | bigint =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value

/** @throws {Error} a value of another kind */
export const toSqlValue = (name: string, value: unknown): SqlValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  // rows as arrays hold a Buffer
  if (value instanceof Buffer) return new Uint8Array(value.buffer, value.byteOffset, value.length)
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  throw new Error(`Column ${name} holds a value that svc does not use.`)
}

/** Copies a row of the binding, an object, with its values checked. @throws {Error} a value is of a type that svc does not store */
export const toRow = (found: unknown): Row => {
  const row: Record<string, SqlValue> = {}
  for (const [name, value] of Object.entries(found ?? {})) row[name] = toSqlValue(name, value)
  return row
}

/**
 * The same of a row that is an array.
 * @param namesOf the names of the columns of a row that has so many values
 */
export const toNamedRow = (namesOf: (count: number) => readonly string[], found: unknown): Row => {
  const values: readonly unknown[] = Array.isArray(found) ? found : []
  const names = namesOf(values.length)
  const row: Record<string, SqlValue> = {}
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] ?? ''
    row[name] = toSqlValue(name, values[at])
  }
  return row
}
