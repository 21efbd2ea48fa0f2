/**
 * Moves the database of a single node to a server over the network: every row of every table, into an empty database with the
 * same schema.
 *
 * It guarantees: no other process has the file open meanwhile; the file is only read; at the end, it compares row counts and
 * sizes of both sides, table by table. Until then a mark in the server lets no node use it. Calling it again continues an
 * interrupted move, unless the file has changed. After the end it only compares both sides again.
 * It does not move the instance key, which the nodes need as before.
 * It fails with AppError (conflict: the file is in use, the server already has data, or both differ) and DatabaseError.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import Libsql from 'libsql'
import { conflict, invalid } from '#core/error.ts'
import { toSqlValue } from '../backends/binding-values.ts'
import { sizeOfRow } from '../batch.ts'
import { asNumber, asText } from '../column.ts'
import { type Database, DatabaseError, type SqlValue, type Statement } from '../database.ts'
import { codeOf, kindOfSqliteError, messageOf } from '../database-error.ts'
import {
  deleteMeta,
  findMeta,
  hasNoData,
  insertMoveMark,
  MOVE_MARK,
  MOVED_MARK,
  upsertMeta,
} from '../meta.ts'
import { findSchemaVersion, MOVE_UNFINISHED, migrate, SCHEMA_VERSION } from '../migrate.ts'
import { text } from '../row.ts'
import { raw, sql } from '../sql.ts'
import { maxValueBytes } from '../value-size.ts'
import { inUse } from './backup.ts'
import type { RowCount } from './row-counts.ts'

export type Moved = Readonly<{ tables: number; rows: number }>

/** Limit of rows in one batch, because the server blocks all other writers meanwhile. */
const MAX_ROWS = 500
const MAX_BYTES = 1_000_000
const HEADER_BYTES = 100

type Table = Readonly<{ name: string; columns: readonly string[] }>

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Lists tables in the order of creation, so that rows are copied after the rows that they refer to. */
const listTables = (source: Libsql.Database): readonly Table[] =>
  source
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table'
         AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_litestream*' AND name <> 'schema_migrations'
       ORDER BY rowid`,
    )
    .all()
    .map((row) => {
      const name = asText(Object.values(row ?? {})[0])
      const columns = source
        .prepare(`SELECT name FROM pragma_table_info(${quote(name).replaceAll('"', "'")})`)
        .all()
        .map((column) => asText(Object.values(column ?? {})[0]))
      return { name, columns }
    })

type Source = Readonly<{
  connection: Libsql.Database
  /** Identifies the state of the file. */
  id: string
}>

/** Reads the header, which has a counter that changes when svc turns the write-ahead log on, as at each start. */
const readHeader = (path: string): Uint8Array => {
  const header = new Uint8Array(HEADER_BYTES)
  const descriptor = openSync(path, 'r')
  readSync(descriptor, header, 0, HEADER_BYTES, 0)
  closeSync(descriptor)
  return header
}

/** Two new databases may have the same header, and have different workspaces. */
const identify = (connection: Libsql.Database, header: Uint8Array): string => {
  const rows = connection.prepare('SELECT id, wrapped_key FROM workspaces ORDER BY id').raw().all()
  return createHash('sha256').update(header).update(JSON.stringify(rows)).digest('hex')
}

const toOpenError = (path: string, error: unknown): Error => {
  const kind = kindOfSqliteError(codeOf(error), messageOf(error))
  if (kind === 'busy') return inUse(path, error)
  return new DatabaseError(`${path} could not be opened: ${messageOf(error)}`, {
    kind,
    outcome: 'none',
    cause: error,
  })
}

/** @throws {AppError} conflict: another process has it open @throws {DatabaseError} */
const openAlone = (path: string): Source => {
  const connection = new Libsql(path, { timeout: 0 })
  try {
    // leaving WAL needs an exclusive lock, so it fails while another process has the file open
    connection.exec('PRAGMA journal_mode = DELETE')
    // before the lock, which closing another descriptor of the file would release
    const header = readHeader(path)
    connection.exec('BEGIN IMMEDIATE')
    return { connection, id: identify(connection, header) }
  } catch (error) {
    connection.close()
    throw toOpenError(path, error)
  }
}

function* batchesOf(
  source: Libsql.Database,
  table: Table,
): Generator<readonly (readonly SqlValue[])[]> {
  const columns = table.columns.map(quote).join(', ')
  const select = source.prepare(`SELECT ${columns} FROM ${quote(table.name)}`)
  let batch: (readonly SqlValue[])[] = []
  let bytes = 0
  for (const found of select.raw().iterate()) {
    const row = Object.values(found ?? {}).map((value) => toSqlValue(table.name, value))
    batch.push(row)
    bytes += sizeOfRow(row)
    if (batch.length < MAX_ROWS && bytes < MAX_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

const insertRow = ({ name, columns }: Table, row: readonly SqlValue[]): Statement => ({
  sql: `INSERT OR IGNORE INTO ${quote(name)} (${columns.map(quote).join(', ')})
    VALUES (${columns.map(() => '?').join(', ')})`,
  args: row,
})

/** Returns a query for the number of rows and the total bytes of their values. */
const measureOf = ({ name, columns }: Table): string => {
  const sizes = columns.map((column) => `COALESCE(LENGTH(CAST(${quote(column)} AS BLOB)), 0)`)
  // the marks of the move differ
  const filter = name === 'meta' ? ` WHERE key NOT IN ('${MOVE_MARK}', '${MOVED_MARK}')` : ''
  return `SELECT count(*) AS rows, COALESCE(SUM(${sizes.join(' + ')}), 0) AS bytes FROM ${quote(name)}${filter}`
}

/** @returns whether rows are missing; false after the end of the move @throws {AppError} conflict: the target has other data */
const prepareTarget = async (target: Database, id: string): Promise<boolean> => {
  // neither a database with data nor a marked one is migrated
  if ((await findSchemaVersion(target)) === 0 || (await hasNoData(target))) {
    await migrate(target)
    await target.write([insertMoveMark(id)], { retry: true })
  }
  const mark = await findMeta(target, MOVE_MARK)
  if (mark === id) return true
  if (mark === null && (await findMeta(target, MOVED_MARK)) === id) return false
  throw mark === null
    ? conflict('The server has data of its own. Name an empty one.', { code: 'database_not_empty' })
    : conflict(
        'The server has rows of a move that was interrupted, and the file has changed since then. Name an empty one.',
      )
}

/** Drops the triggers of the target, because the file has their effects already: they would count each waiting job twice. */
const dropTriggers = async (target: Database): Promise<void> => {
  const names = await text.all(target, sql`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
  await target.write(names.map(dropTrigger), { retry: true })
}

const dropTrigger = (name: string): Statement => raw(`DROP TRIGGER IF EXISTS ${quote(name)}`)

/** Creates the triggers of the file in the target. It may be repeated. */
const createTriggers = (source: Libsql.Database): readonly Statement[] =>
  source
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
    .raw()
    .all()
    .flatMap((row) => {
      const [name, statement] = Object.values(row ?? {}).map((value) => asText(value))
      return [dropTrigger(name ?? ''), raw(statement ?? '')]
    })

const checkSource = (source: Libsql.Database): void => {
  if (source.prepare(`SELECT 1 FROM meta WHERE key = '${MOVE_MARK}'`).all().length > 0) {
    throw conflict(MOVE_UNFINISHED)
  }
  const [row] = source.prepare('SELECT MAX(version) AS version FROM schema_migrations').all()
  if (Object.values(row ?? {})[0] === SCHEMA_VERSION) return
  throw invalid('The file is of another svc. Bring it to this schema first: svc db migrate', {
    code: 'schema_differs',
  })
}

/** @throws {AppError} conflict: the target would refuse a value, at every attempt */
const requireFittingValues = (
  source: Libsql.Database,
  target: Database,
  tables: readonly Table[],
): void => {
  const most = maxValueBytes(target)
  for (const { name, columns } of tables) {
    const isLarger = columns.map((column) => `octet_length(${quote(column)}) > ${most}`)
    const count = `SELECT count(*) FROM ${quote(name)} WHERE ${isLarger.join(' OR ')}`
    const [rows] = source
      .prepare(count)
      .raw()
      .all()
      .flatMap((row) => Object.values(row ?? {}))
    if (rows === 0) continue
    throw conflict(
      `${name} has values of more than ${most / 1e6} MB, which a server does not take: ${asNumber(rows)}. Delete the apps or jobs that have them, or keep the file.`,
    )
  }
}

/** Moves the file at `path` into `target`. @throws {AppError} conflict @throws {DatabaseError} */
export const moveDatabase = async (
  path: string,
  target: Database,
  onProgress: (progress: RowCount) => void,
): Promise<Moved> => {
  const { connection: source, id } = openAlone(path)
  try {
    checkSource(source)
    const tables = listTables(source)
    requireFittingValues(source, target, tables)
    const isUnfinished = await prepareTarget(target, id)
    if (isUnfinished) {
      await dropTriggers(target)
      for (const table of tables) await copyTable(source, target, { table, onProgress })
    }
    const remedy = isUnfinished ? UNFINISHED_REMEDY : ENDED_REMEDY
    const rows = await compare(source, target, { tables, remedy })
    if (isUnfinished) {
      const end = [deleteMeta(MOVE_MARK), upsertMeta(MOVED_MARK, id)]
      await target.write([...createTriggers(source), ...end], { retry: true })
    }
    return { tables: tables.length, rows }
  } finally {
    // `close` alone keeps the lock until the statements are garbage-collected
    source.exec('ROLLBACK')
    source.close()
  }
}

/** Inserts the rows that the target does not have yet. @throws {DatabaseError} */
const copyTable = async (
  source: Libsql.Database,
  target: Database,
  { table, onProgress }: Readonly<{ table: Table; onProgress: (progress: RowCount) => void }>,
): Promise<void> => {
  let rows = 0
  for (const batch of batchesOf(source, table)) {
    await target.write(
      batch.map((row) => insertRow(table, row)),
      { retry: true },
    )
    rows += batch.length
    onProgress({ table: table.name, rows })
  }
}

const UNFINISHED_REMEDY = 'Move it to an empty server.'
const ENDED_REMEDY =
  'This move had ended, and svc has changed the database of the server since: continue there.'

/** @returns the number of rows @throws {AppError} conflict: a table differs */
const compare = async (
  source: Libsql.Database,
  target: Database,
  { tables, remedy }: Readonly<{ tables: readonly Table[]; remedy: string }>,
): Promise<number> => {
  let rows = 0
  for (const table of tables) {
    const text = measureOf(table)
    const [here] = source.prepare(text).all()
    const there = await target.one(raw(text))
    const [mine, theirs] = [here, there].map((row) => JSON.stringify(Object.values(row ?? {})))
    if (mine !== theirs) {
      throw conflict(
        `${table.name} differs after the move: ${mine} here, ${theirs} there. ${remedy}`,
      )
    }
    rows += asNumber(there?.rows ?? 0)
  }
  return rows
}
