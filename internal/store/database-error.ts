/** Reads SQLite's own words into DatabaseError, for both backends. */
import type { DatabaseErrorKind } from './database.ts'

/** By prefix: extended codes such as SQLITE_CONSTRAINT_UNIQUE belong to their primary code. */
const KINDS: readonly (readonly [string, DatabaseErrorKind])[] = [
  ['SQLITE_CONSTRAINT', 'constraint'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_CANTOPEN', 'unavailable'],
  ['SQLITE_IOERR', 'unavailable'],
]

/** @param code for example `SQLITE_CONSTRAINT_UNIQUE`; anything unknown is `other` */
export const kindOfSqliteCode = (code: string): DatabaseErrorKind =>
  KINDS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other'

/** The error's own code, or an empty text. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error)
