/** Reads columns into fields. A value of another type than the schema promises is a fault of ours, never data. */
import type { SqlValue } from './database.ts'

const unexpected = (wanted: string, value: SqlValue | undefined): Error =>
  new Error(`Expected a column with ${wanted}, got ${value === undefined ? 'none' : typeof value}.`)

export const asText = (value: SqlValue | undefined): string => {
  if (typeof value === 'string') return value
  throw unexpected('text', value)
}

export const asTextOrNull = (value: SqlValue | undefined): string | null =>
  value === null ? null : asText(value)

export const asNumber = (value: SqlValue | undefined): number => {
  if (typeof value === 'number') return value
  throw unexpected('a number', value)
}

export const asNumberOrNull = (value: SqlValue | undefined): number | null =>
  value === null ? null : asNumber(value)

export const asBytes = (value: SqlValue | undefined): Uint8Array => {
  if (value instanceof Uint8Array) return value
  throw unexpected('bytes', value)
}
