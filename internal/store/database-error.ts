/** Turns SQLite's error codes and messages into the kinds of DatabaseError, for both backends. */
import type { DatabaseErrorKind } from './database.ts'

/** The message with which a fence (workspaces/fence.ts) refuses a write. */
export const MOVING = 'svc: the workspace is moving'

/** Kinds by prefix, so that extended codes such as SQLITE_CONSTRAINT_UNIQUE count as their primary code. */
const KINDS: readonly (readonly [string, DatabaseErrorKind])[] = [
  ['SQLITE_CONSTRAINT', 'constraint'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_CANTOPEN', 'unavailable'],
  ['SQLITE_IOERR', 'io'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
  ['SQLITE_TOOBIG', 'too_large'],
  // a call of the file system before SQLite opens the file, or for its log
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EIO', 'io'],
  ['EROFS', 'read_only'],
  ['EACCES', 'read_only'],
  ['EMFILE', 'unavailable'],
  ['ENFILE', 'unavailable'],
  ['ENOENT', 'unavailable'],
]

/** Kinds by SQLite's primary result code. */
const KINDS_BY_NUMBER: Readonly<Record<number, DatabaseErrorKind>> = {
  5: 'busy',
  6: 'busy',
  8: 'read_only',
  10: 'io',
  11: 'corrupt',
  13: 'full',
  14: 'unavailable',
  18: 'too_large',
  19: 'constraint',
  26: 'corrupt',
}

/** @param code for example `SQLITE_CONSTRAINT_UNIQUE`; unknown codes are `other` */
export const kindOfSqliteError = (code: string, message: string): DatabaseErrorKind => {
  // these two have no error code
  if (message.includes(MOVING)) return 'moving'
  if (/\bno such table\b/.test(message)) return 'missing_table'
  // the binding has no names for newer extended codes; their low byte is the primary code
  const nameless = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code)
  if (nameless !== null) return KINDS_BY_NUMBER[Number(nameless[1]) & 0xff] ?? 'other'
  return KINDS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other'
}

/** Returns the error's code, or an empty text. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Returns the message of anything that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error)
