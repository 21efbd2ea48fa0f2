/** Converts values for the libSQL binding and from it. */
import { Buffer } from 'node:buffer'
import type { Row, SqlValue } from '../database.ts'

/** The binding stores numbers as REAL. Integers are passed as bigint, so that it stores them as INTEGER. */
export const bindValue = (value: SqlValue): SqlValue | bigint =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value

/** @throws {Error} the value has a type that svc does not store */
export const toSqlValue = (name: string, value: unknown): SqlValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  // rows that are arrays contain a Buffer
  if (value instanceof Buffer) return new Uint8Array(value.buffer, value.byteOffset, value.length)
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  throw new Error(`Column ${name} holds a value that svc does not use.`)
}

/** Copies a row that the binding returned as an object. @throws {Error} a value has a type that svc does not store */
export const toRow = (found: unknown): Row => {
  const row: Record<string, SqlValue> = {}
  for (const [name, value] of Object.entries(found ?? {})) row[name] = toSqlValue(name, value)
  return row
}

/**
 * Does the same for a row that is an array.
 * @param namesOf returns the column names for a row with this number of values
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
