/** The one connection of a process to a database file, and the transaction that is open on it. */
import { statSync } from 'node:fs'
import { DatabaseError, type DatabaseErrorKind } from '../database.ts'
import { codeOf, kindOfSqliteError, messageOf } from '../database-error.ts'
import type { FileConnection } from './file-database-connection.ts'
import { createLogSync } from './log-sync.ts'

/** Faults after which the connection is still usable. */
const STATEMENT_FAULTS: readonly DatabaseErrorKind[] = [
  'constraint',
  'missing_table',
  'other',
  'full',
  'too_large',
  'moving',
]

/** SQLite's own sync of the log has failed. */
const FAILED_SYNC = 'SQLITE_IOERR_FSYNC'

export const toFileError = (
  error: unknown,
  outcome: 'none' | 'unknown' = 'none',
): DatabaseError => {
  if (error instanceof DatabaseError) return error
  const message = messageOf(error)
  // the binding gives no code if the file cannot be opened
  const kind = message.startsWith('ConnectionFailed')
    ? 'unavailable'
    : kindOfSqliteError(codeOf(error), message)
  return new DatabaseError(message, { kind, outcome, cause: error })
}

/** Returns what distinguishes a file from another one of the same name; null if there is none. */
const identityOf = (path: string): string | null => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Keeps the connection to the file at `path`. After a fault, the next use opens a new one. */
export const createConnectionHolder = (path: string, connect: () => FileConnection) => {
  let held: FileConnection | null = null
  let identity: string | null = null
  let transaction: Promise<void> | null = null
  let isClosed = false
  const log = createLogSync()
  /** @throws {DatabaseError} */
  const current = (): FileConnection => {
    if (isClosed) {
      throw new DatabaseError('The database is closed.', { kind: 'unavailable', outcome: 'none' })
    }
    try {
      if (held !== null) return held
      held = connect()
      identity = identityOf(path)
      return held
    } catch (error) {
      throw toFileError(error)
    }
  }
  /**
   * Refuses a file that was removed or replaced: the connection would write to one that no later start finds. The connection
   * stays, because it may hold the last link to the data. @throws {DatabaseError} gone
   */
  const requireInPlace = (): void => {
    if (held === null || identityOf(path) === identity) return
    const message = `The database file ${path} was removed or replaced while it was open.`
    throw new DatabaseError(message, { kind: 'gone', outcome: 'none' })
  }
  const drop = (): void => {
    held?.close()
    held = null
  }
  const holds = (connection: FileConnection): boolean => held === connection
  const recover = (error: unknown): void => {
    if (codeOf(error) === FAILED_SYNC) log.noteLoss()
    const isStatementFault = STATEMENT_FAULTS.includes(toFileError(error).kind)
    try {
      if (held?.isInTransaction()) held.exec('ROLLBACK')
      if (!isStatementFault) drop()
    } catch {
      // if the rollback fails, closing the connection still undoes the transaction
      drop()
    }
  }
  /** @returns the pages that the log held; null if there is no connection, or another one writes */
  const checkpoint = (): number | null => held?.checkpoint() ?? null
  const close = (): void => {
    isClosed = true
    drop()
  }
  /** Returns the end of the transaction that is open, or null. */
  const open = (): Promise<void> | null => transaction
  /** Runs a transaction that may span turns of the event loop. */
  const transact = async <T>(work: () => Promise<T>): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    transaction = promise
    try {
      return await work()
    } finally {
      transaction = null
      resolve()
    }
  }
  return { log, current, requireInPlace, holds, checkpoint, recover, close, open, transact }
}

export type ConnectionHolder = ReturnType<typeof createConnectionHolder>
