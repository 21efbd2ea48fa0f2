/** What callers and operators read when the database refuses. */
import { AppError, unavailable } from '#core/error.ts'
import { DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import { workspaceFenced } from './cells/find-database.ts'

const RETRY_AFTER_S = 2

const SENTENCES: Readonly<Record<DatabaseErrorKind, string | null>> = {
  unavailable: 'The database does not answer. Try again shortly.',
  busy: 'Another process holds the lock of the database. Try again shortly.',
  full: 'The disk of the database is full. Free some space; nothing that was acknowledged is lost.',
  read_only:
    'The database cannot be written to: its disk is read-only. Make it writable; nothing that was acknowledged is lost.',
  io: 'The disk of the database fails to read or write. Check that it works and, for sqld, which reports a full disk in this way too, that it has room; then run svc doctor.',
  gone: 'The database file was removed or replaced while svc runs. Put that file back, or stop svc and restore a backup; nothing is accepted meanwhile.',
  corrupt:
    'The database is damaged. Run svc doctor; if it finds damage, stop svc and restore a backup.',
  missing_table:
    'The database lacks a table that svc needs. Stop svc, run svc doctor, and restore a backup.',
  too_large: null,
  moving: null,
  constraint: null,
  other: null,
}

/** The caller's value, for example the bundle of an app. The same value is refused again, so nothing is to be retried. */
const TOO_LARGE =
  'A value is larger than the database takes as one value (sqld and Turso: 5 MB). Make the file or the value smaller, or use a database file, which takes all that docs/limits.md allows.'

/** What an operator should do about a failing database; null if nothing helps or the fault lies in svc. */
export const databaseSentence = (kind: DatabaseErrorKind): string | null => SENTENCES[kind]

export type DatabaseRefusal = Readonly<{
  error: AppError
  /** The operator has to act, so it belongs in the log. */
  isOurs: boolean
}>

/** Returns the refusal that a caller gets; null if the error is not of the database, or the fault lies in svc. */
export const databaseRefusal = (error: unknown): DatabaseRefusal | null => {
  if (!(error instanceof DatabaseError)) return null
  if (error.kind === 'moving') return { error: workspaceFenced(), isOurs: false }
  if (error.kind === 'too_large') {
    return { error: new AppError('too_large', TOO_LARGE), isOurs: false }
  }
  const sentence = databaseSentence(error.kind)
  if (sentence === null) return null
  return { error: unavailable(sentence, { retryAfterS: RETRY_AFTER_S }), isOurs: true }
}
