/**
 * Moves the database of a single node to a server over the network: every row of every table, into an empty database with the
 * same schema.
 *
 * It guarantees: no other process has the file open meanwhile; the file is only read; at the end, it compares row counts and
 * sizes of both sides, table by table. Calling it again continues an interrupted move.
 * It does not move the instance key, which the nodes need as before.
 * It fails with AppError (conflict: the file is in use, or the server already has data) and DatabaseError.
 */
import Libsql from 'libsql'
import { conflict, invalid } from '#core/error.ts'
import { toSqlValue } from '../backends/binding-values.ts'
import { sizeOfRow } from '../batch.ts'
import { asText } from '../column.ts'
import type { Database, SqlValue, Statement } from '../database.ts'
import { deleteMeta, findMeta, insertMeta } from '../meta.ts'
import { migrate, SCHEMA_VERSION } from '../migrate.ts'
import { exists } from '../row.ts'
import { raw, sql } from '../sql.ts'

export type MoveProgress = Readonly<{ table: string; rows: number }>

export type Moved = Readonly<{ tables: number; rows: number }>

/** Key that is set during a move. It marks the rows in the target as belonging to the move. */
const MARK = 'move_in_progress'
/** Limit of rows in one batch, because the server blocks all other writers meanwhile. */
const MAX_ROWS = 500
const MAX_BYTES = 1_000_000

type Table = Readonly<{ name: string; columns: readonly string[] }>

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Lists tables in the order of creation, so that rows are copied after the rows that they refer to. `held_workspaces` is first,
 * because triggers of the target keep no versions of functions of a held workspace.
 */
const listTables = (source: Libsql.Database): readonly Table[] =>
  source
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table'
         AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_litestream*' AND name <> 'schema_migrations'
       ORDER BY name <> 'held_workspaces', rowid`,
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

/** @throws {AppError} conflict: another process has it open */
const openAlone = (path: string): Libsql.Database => {
  const source = new Libsql(path, { timeout: 0 })
  try {
    // leaving WAL needs an exclusive lock, so it fails while another process has the file open
    source.exec('PRAGMA journal_mode = DELETE')
    source.exec('BEGIN IMMEDIATE')
    return source
  } catch (error) {
    source.close()
    throw conflict(`${path} is in use. Stop svc first.`, { code: 'database_in_use', cause: error })
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
  // only the target contains the mark of the move
  const filter = name === 'meta' ? ` WHERE key <> '${MARK}'` : ''
  return `SELECT count(*) AS rows, COALESCE(SUM(${sizes.join(' + ')}), 0) AS bytes FROM ${quote(name)}${filter}`
}

/** @throws {AppError} conflict: the target already has data */
const prepareTarget = async (target: Database): Promise<void> => {
  await migrate(target)
  if ((await findMeta(target, MARK)) !== null) return
  if (await exists(target, sql`SELECT 1 FROM workspaces UNION ALL SELECT 1 FROM meta`)) {
    throw conflict('The server has data of its own. Name an empty one.', {
      code: 'database_not_empty',
    })
  }
  await target.write([insertMeta(MARK, '1')], { retry: true })
}

const checkSource = (source: Libsql.Database): void => {
  const [row] = source.prepare('SELECT MAX(version) AS version FROM schema_migrations').all()
  if (Object.values(row ?? {})[0] === SCHEMA_VERSION) return
  throw invalid('The file is of another svc. Bring it to this schema first: svc db migrate', {
    code: 'schema_differs',
  })
}

/** Moves the file at `path` into `target`. @throws {AppError} conflict @throws {DatabaseError} */
export const moveDatabase = async (
  path: string,
  target: Database,
  onProgress: (progress: MoveProgress) => void,
): Promise<Moved> => {
  const source = openAlone(path)
  try {
    checkSource(source)
    await prepareTarget(target)
    const tables = listTables(source)
    let rows = 0
    for (const table of tables) {
      let moved = 0
      for (const batch of batchesOf(source, table)) {
        await target.write(
          batch.map((row) => insertRow(table, row)),
          { retry: true },
        )
        moved += batch.length
        onProgress({ table: table.name, rows: moved })
      }
      rows += moved
    }
    await compare(source, target, tables)
    await target.write([deleteMeta(MARK)], { retry: true })
    return { tables: tables.length, rows }
  } finally {
    // `close` alone keeps the lock until the statements are garbage-collected
    source.exec('ROLLBACK')
    source.close()
  }
}

const compare = async (
  source: Libsql.Database,
  target: Database,
  tables: readonly Table[],
): Promise<void> => {
  for (const table of tables) {
    const text = measureOf(table)
    const [here] = source.prepare(text).all()
    const there = await target.one(raw(text))
    const [mine, theirs] = [here, there].map((row) => JSON.stringify(Object.values(row ?? {})))
    if (mine !== theirs) {
      throw new Error(`${table.name} differs after the move: ${mine} here, ${theirs} there.`)
    }
  }
}
