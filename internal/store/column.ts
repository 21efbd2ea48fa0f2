/** Reads columns into fields. A value whose type differs from the schema is a bug of svc, so it throws. */
import type { SqlValue } from './database.ts'

/** Builds the error of a column that does not hold what the schema states. */
export const unexpected = (wanted: string, value: SqlValue | undefined): Error =>
  new Error(`Expected ${wanted}, got ${value === undefined ? 'no column' : typeof value}.`)

/** Reads a text column. @throws {Error} it holds another type */
export const asText = (value: SqlValue | undefined): string => {
  if (typeof value === 'string') return value
  throw unexpected('text', value)
}

/** Reads a text column that may be null. @throws {Error} it holds another type */
export const asTextOrNull = (value: SqlValue | undefined): string | null =>
  value === null ? null : asText(value)

/** Reads a number column. @throws {Error} it holds another type */
export const asNumber = (value: SqlValue | undefined): number => {
  if (typeof value === 'number') return value
  throw unexpected('a number', value)
}

/** Reads a number column that may be null. @throws {Error} it holds another type */
export const asNumberOrNull = (value: SqlValue | undefined): number | null =>
  value === null ? null : asNumber(value)

/** Reads a blob column. @throws {Error} it holds another type */
export const asBytes = (value: SqlValue | undefined): Uint8Array => {
  if (value instanceof Uint8Array) return value
  throw unexpected('bytes', value)
}
