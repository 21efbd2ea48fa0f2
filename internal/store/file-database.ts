/**
 * The local backend: one libSQL connection for the whole process, so nothing inside it ever waits for a lock. Another
 * process may use the same file; then SQLite's own lock is waited for.
 *
 * It fails by DatabaseError: a failed transaction has changed nothing (`outcome: 'none'`).
 */
import Libsql from 'libsql'
import { DatabaseError, type DatabaseErrorKind, type Database, type Row, SQL_NOW, type SqlValue, type Statement, type StatementResult } from './database.ts'
import { type Batch, createGroupCommit } from './group-commit.ts'

const BUSY_TIMEOUT_MS = 5_000
const MAX_PREPARED = 500

const ERROR_KINDS: readonly (readonly [string, DatabaseErrorKind])[] = [
  ['SQLITE_CONSTRAINT', 'constraint'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_CANTOPEN', 'unavailable'],
  ['SQLITE_IOERR', 'unavailable'],
]

const toDatabaseError = (error: unknown): DatabaseError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  const kind = ERROR_KINDS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other'
  return new DatabaseError(message, { kind, outcome: 'none', cause: error })
}

const toRow = (row: unknown): Row => {
  const values: Record<string, SqlValue> = {}
  for (const [name, value] of Object.entries(row ?? {})) {
    if (value instanceof ArrayBuffer) values[name] = new Uint8Array(value)
    else if (typeof value === 'string' || typeof value === 'number' || value === null) values[name] = value
    else if (value instanceof Uint8Array) values[name] = value
    else throw new Error(`Column ${name} holds a value that svc does not use.`)
  }
  return values
}

export const openFileDatabase = (path: string): Database => {
  const connection = new Libsql(path, { timeout: BUSY_TIMEOUT_MS })
  connection.exec('PRAGMA auto_vacuum = INCREMENTAL')
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  const prepared = new Map<string, Libsql.Statement>()

  const prepare = (text: string): Libsql.Statement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    if (prepared.size >= MAX_PREPARED) prepared.clear()
    const statement = connection.prepare(text)
    prepared.set(text, statement)
    return statement
  }

  const run = ({ sql, args }: Statement): StatementResult => {
    const statement = prepare(sql)
    if (!statement.reader) return { rows: [], changes: statement.run(...args).changes }
    const rows = statement.all(...args).map(toRow)
    return { rows, changes: rows.length }
  }

  const commit = async (batches: readonly Batch[]): Promise<readonly StatementResult[][]> => {
    try {
      connection.exec('BEGIN IMMEDIATE')
      const results = batches.map((batch) => batch.map(run))
      connection.exec('COMMIT')
      return results
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      throw toDatabaseError(error)
    }
  }

  const read = (statement: Statement): readonly Row[] => {
    try {
      return run(statement).rows
    } catch (error) {
      throw toDatabaseError(error)
    }
  }

  const write = createGroupCommit(commit)
  return {
    backend: 'file',
    one: async (statement) => read(statement)[0] ?? null,
    all: async (statement) => read(statement),
    write: (statements) => write(statements),
    now: async () => Number(read({ sql: `SELECT ${SQL_NOW} AS now`, args: [] })[0]?.now),
    close: async () => {
      prepared.clear()
      connection.close()
    },
  }
}
