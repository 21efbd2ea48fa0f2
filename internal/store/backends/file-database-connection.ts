/**
 * One synchronous connection to a libSQL file, with its prepared statements.
 *
 * It hides these faults of the binding: a row from `.get()` has a `_metadata` field; a statement with RETURNING that runs by
 * `.run()` stays active and fails every later COMMIT, so readers always use `.all()`; a single null or blob is taken for named
 * parameters, so arguments are passed as one array. One fault remains: a text is read only up to its first U+0000, which JSON
 * texts never contain.
 */
import { existsSync } from 'node:fs'
import Libsql from 'libsql'
import QuickLRU from 'quick-lru'
import type { Statement, StatementResult } from '../database.ts'
import { bindValue, toNamedRow } from './binding-values.ts'
import { type FileLog, openFileLog } from './file-log.ts'

export type FileConnectionOptions = Readonly<{
  path: string
  /** Milliseconds that a statement waits for another process. It blocks the event loop meanwhile. */
  busyWaitMs: number
}>

export type FileConnection = Readonly<{
  run: (statement: Statement) => StatementResult
  /** Runs transaction control. Unlike a prepared statement, it recovers from SQLITE_BUSY. */
  exec: (text: string) => void
  /**
   * Sets whether the open transaction is large. Its pages then stay in memory until the commit, because to write them earlier
   * takes longer in all.
   */
  expectLarge: (isLarge: boolean) => void
  /**
   * Checkpoints the log while no other connection can write: SQLite before 3.51.3 may lose commits if another
   * connection overwrites the log from its start while a checkpoint begins (libsql 2271).
   * @returns the pages that the log held; null if another connection writes, or the disk fails
   */
  checkpoint: () => number | null
  /** Sets whether the next commits leave their sync to `syncLog`. Not within a transaction. */
  leaveSync: (isLeft: boolean) => void
  /** Makes all commits in the log durable while the event loop goes on. @throws what the disk reports */
  syncLog: () => Promise<void>
  /** Makes the log durable after a failed sync. Within a transaction, which keeps others from writing. */
  rewriteLog: () => Promise<void>
  /** A number that changes with each commit of another connection. */
  foreignVersion: () => number
  isInTransaction: () => boolean
  close: () => void
}>

type Prepared = Readonly<{
  statement: Libsql.Statement
  isReader: boolean
  isWriter: boolean
  /** Returns the column names of a row with this number of values. */
  namesOf: (count: number) => readonly string[]
}>

const MAX_PREPARED = 500
/** 16 MB of pages instead of 2, so that the hot indexes of a long queue stay in memory. */
const CACHE_KIB = 16_384
/** The pages of a transaction with a value of 20 MiB. */
const LARGE_CACHE_KIB = 32_768
const MAX_LOG_BYTES = 64 * 1024 * 1024

/** Reads the names again if a migration has changed the columns of `*`. */
const createNames = (statement: Libsql.Statement): Prepared['namesOf'] => {
  let names: readonly string[] = []
  return (count) => {
    if (names.length !== count) names = statement.columns().map(({ name }) => name)
    return names
  }
}

/** A cache of the statements that were used last. A dropped statement is finalized by garbage collection. */
const createStatementCache = (prepare: (text: string) => Libsql.Statement) => {
  const cache = new QuickLRU<string, Prepared>({ maxSize: MAX_PREPARED })
  return {
    find: (text: string): Prepared => {
      const known = cache.get(text)
      if (known !== undefined) return known
      const statement = prepare(text)
      const isReader = statement.reader
      // an array per row costs half as much as an object
      if (isReader) statement.raw(true)
      const isWriter = !isReader || /\bRETURNING\b/i.test(text)
      const prepared = { statement, isReader, isWriter, namesOf: createNames(statement) }
      cache.set(text, prepared)
      return prepared
    },
    clear: () => cache.clear(),
  }
}

const configure = (connection: Libsql.Database): void => {
  // it takes effect only before the first table, and lets deletions return pages to the disk
  connection.exec('PRAGMA auto_vacuum = INCREMENTAL')
  connection.exec('PRAGMA journal_mode = WAL')
  connection.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA journal_size_limit = ${MAX_LOG_BYTES};
    PRAGMA wal_autocheckpoint = 0;`)
}

/** Keeps other connections from writing meanwhile. @throws what the binding throws, for example if one is writing */
const withWriteLock = <T>(path: string, work: () => T): T => {
  const lock = new Libsql(path, { timeout: 0 })
  try {
    lock.exec('BEGIN IMMEDIATE')
    const result = work()
    lock.exec('ROLLBACK')
    return result
  } finally {
    lock.close()
  }
}

/** Returns the connection with the log that it writes. */
const withLog = (
  connection: Libsql.Database,
  { path }: FileConnectionOptions,
  foreignVersion: () => number,
  log: FileLog,
): FileConnection => {
  const statements = createStatementCache((text) => connection.prepare(text))
  const passive = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)').raw(true)

  return {
    run: ({ sql, args }) => {
      const { statement, isReader, isWriter, namesOf } = statements.find(sql)
      const bound = args.map(bindValue)
      if (!isReader) return { rows: [], changes: statement.run(bound).changes }
      const rows = statement.all(bound).map((values) => toNamedRow(namesOf, values))
      return { rows, changes: isWriter ? rows.length : 0 }
    },
    exec: (text) => void connection.exec(text),
    expectLarge: (isLarge) => {
      connection.exec(`PRAGMA cache_size = -${isLarge ? LARGE_CACHE_KIB : CACHE_KIB}`)
    },
    checkpoint: () => {
      // opening a file that is gone would create an empty one in its place
      if (!existsSync(path)) return null
      try {
        const [, pages] = withWriteLock(path, () => [passive.get()].flat())
        return Number(pages)
      } catch {
        // a later call does it
        return null
      }
    },
    leaveSync: (isLeft) =>
      void connection.exec(`PRAGMA synchronous = ${isLeft ? 'NORMAL' : 'FULL'}`),
    syncLog: log.sync,
    rewriteLog: log.rewrite,
    foreignVersion,
    isInTransaction: () => connection.inTransaction,
    close: () => {
      statements.clear()
      connection.close()
      log.close()
    },
  }
}

/** @throws what the binding throws */
export const openFileConnection = (options: FileConnectionOptions): FileConnection => {
  const connection = new Libsql(options.path, { timeout: options.busyWaitMs })
  try {
    configure(connection)
    const foreign = connection.prepare('PRAGMA data_version').raw(true)
    const foreignVersion = (): number => Number([foreign.get()].flat()[0])
    // the first read creates the log
    foreignVersion()
    return withLog(connection, options, foreignVersion, openFileLog(`${options.path}-wal`))
  } catch (error) {
    connection.close()
    throw error
  }
}
