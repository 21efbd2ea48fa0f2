/**
 * Answers repeated reads of rows that seldom change, such as a token or a deployed action, from memory.
 *
 * A read with `reuse` returns the row of an earlier read of the same statement if all of this is true:
 * - no write of this process has named a table that the statement reads;
 * - no other connection has committed to the file, as of at most FOREIGN_MS ago (file databases only);
 * - the row was read less than MAX_AGE_MS ago, which limits the delay of changes by other processes, triggers and the clock.
 * A read that finds no row is never kept, so callers cannot fill the memory with values that do not exist.
 *
 * A row that is in use is read again before its time is over, and callers that need the same row at once share one read. So over
 * a distant network few of them wait for a round trip.
 */
import QuickLRU from 'quick-lru'
import { statementsOf } from '../batch.ts'
import type { Database, Row, Statement } from '../database.ts'

/** Milliseconds for which a commit of another process to the same file may remain unseen. */
const FOREIGN_MS = 20
/** Milliseconds within which the end of a credential takes effect on all nodes [access 5.5]. */
const MAX_AGE_MS = 250
/** Age in milliseconds from which a row that is used is read again, while callers still get it. */
const RENEW_AGE_MS = 150
/** Rows that are kept per statement. */
const MAX_ROWS = 1_000

const READ_TABLE = /\b(?:FROM|JOIN)\s+(\w+)/gi
const WRITTEN_TABLE =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/gi

/** Finds table names. Names that are not tables (aliases of CTEs, `SET`) do no harm. */
const createTableFinder = (pattern: RegExp): ((sql: string) => readonly string[]) => {
  const found = new Map<string, readonly string[]>()
  return (sql) => {
    const known = found.get(sql)
    if (known !== undefined) return known
    const tables = [...new Set(Array.from(sql.matchAll(pattern), ([, name = '']) => name))]
    // texts are few, but a bulk statement may have one text for each number of rows
    if (found.size < MAX_ROWS) found.set(sql, tables)
    return tables
  }
}

type Kept = Readonly<{ row: Row; version: number; readAt: number }>
type UnderWay = Readonly<{ row: Promise<Row | null>; version: number; readAt: number }>

export type ReuseClock = () => number

/** Wraps a database. Use the result instead of it. @param now a monotonic clock in milliseconds */
export const reuseRows = (db: Database, now: ReuseClock = () => performance.now()): Database => {
  const readTables = createTableFinder(READ_TABLE)
  const writtenTables = createTableFinder(WRITTEN_TABLE)
  /** Number of writes that named each table; absent for a table without writes. */
  const writes = new Map<string, number>()
  const rowsOf = new Map<string, QuickLRU<string, Kept>>()
  /** Reads that have not ended, by statement and arguments. */
  const underWay = new Map<string, UnderWay>()
  /** Number of times that another connection was found to have committed. Rows read before are out of date. */
  let foreignCommits = 0
  let foreign: number | null = null
  let foreignAt = Number.NEGATIVE_INFINITY

  // the counts only grow, so their sum is unchanged exactly while each count is
  const versionOf = (sql: string): number =>
    readTables(sql).reduce((sum, table) => sum + (writes.get(table) ?? 0), foreignCommits)

  const noteWrites = (statements: readonly Statement[]): void => {
    for (const { sql } of statements) {
      for (const table of writtenTables(sql)) writes.set(table, (writes.get(table) ?? 0) + 1)
    }
  }

  const dropIfForeign = async (): Promise<void> => {
    if (now() - foreignAt < FOREIGN_MS) return
    const version = await db.dataVersion()
    if (version !== foreign) {
      rowsOf.clear()
      foreignCommits += 1
    }
    foreign = version
    foreignAt = now()
  }

  const read = async (
    statement: Statement,
    { key, version, readAt }: Omit<Kept, 'row'> & Readonly<{ key: string }>,
  ): Promise<Row | null> => {
    const row = await db.one(statement)
    const rows = rowsOf.get(statement.sql) ?? new QuickLRU<string, Kept>({ maxSize: MAX_ROWS })
    rowsOf.set(statement.sql, rows)
    if (row === null) rows.delete(key)
    else rows.set(key, { row, version, readAt })
    return row
  }

  /** Reads a row, together with the callers that began to read it a moment ago. */
  const readTogether = (
    statement: Statement,
    key: string,
    version: number,
  ): Promise<Row | null> => {
    const name = `${statement.sql}\0${key}`
    const others = underWay.get(name)
    const readAt = now()
    if (others?.version === version && readAt - others.readAt < MAX_AGE_MS) return others.row
    const row = read(statement, { key, version, readAt }).finally(() => {
      if (underWay.get(name)?.row === row) underWay.delete(name)
    })
    underWay.set(name, { row, version, readAt })
    return row
  }

  const readKept = async (statement: Statement): Promise<Row | null> => {
    await dropIfForeign()
    const key = statement.args.join('\0')
    const version = versionOf(statement.sql)
    const kept = rowsOf.get(statement.sql)?.get(key)
    const age = kept?.version === version ? now() - kept.readAt : MAX_AGE_MS
    if (kept === undefined || age >= MAX_AGE_MS) return readTogether(statement, key, version)
    // the callers after the end of its time find out why this read failed
    if (age >= RENEW_AGE_MS) void readTogether(statement, key, version).catch(() => undefined)
    return kept.row
  }

  return {
    ...db,
    one: (statement, { reuse = false } = {}) => (reuse ? readKept(statement) : db.one(statement)),
    write: async (batch, options) => {
      try {
        return await db.write(batch, options)
      } finally {
        // also after a failure, because the outcome may be unknown
        noteWrites(statementsOf(batch))
      }
    },
  }
}
