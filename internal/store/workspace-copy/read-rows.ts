/**
 * Reads the rows of one workspace in pages of bounded size, by ranges of the primary key. Each statement reads a bounded number
 * of rows, regardless of the size of the workspace and of the database.
 */
import { asNumber } from '../column.ts'
import type { Reader, Row, SqlValue, Statement } from '../database.ts'
import { allOf, raw, sql, valueList } from '../sql.ts'
import { type CopiedTable, quoted } from './tables.ts'

export type Page = readonly (readonly SqlValue[])[]

type Key = readonly SqlValue[]
/** Rows after `after` up to `upTo`; null for no bound. */
type Range = Readonly<{ after: Key | null; upTo: Key | null }>

/** Rows of a window that an index of the workspace finds. */
const OWN_ROWS = 1_000
/** Rows of a window that also passes over rows of other workspaces. */
const SCANNED_ROWS = 20_000
/** Rows of a parent whose children are read together. */
const PARENT_ROWS = 500
const PAGE_ROWS = 500
const PAGE_BYTES = 1_000_000

const inRange = (columns: readonly string[], { after, upTo }: Range): Statement =>
  allOf(
    after === null ? null : sql`(${quoted(columns)}) > (${valueList(after)})`,
    upTo === null ? null : sql`(${quoted(columns)}) <= (${valueList(upTo)})`,
  )

const valuesOf = (row: Row): readonly SqlValue[] => Object.values(row)

/** Returns the last key of the next window, or null if that is the last window. */
const findEnd = async (
  reader: Pick<Reader, 'all'>,
  { table, ws, rows }: Readonly<{ table: CopiedTable; ws: string; rows: number }>,
  after: Key | null,
): Promise<Key | null> => {
  const [row] = await reader.all(
    sql`SELECT ${quoted(table.key)} FROM ${raw(table.name)}
      WHERE ${allOf(table.isIndexed ? sql`ws = ${ws}` : null, inRange(table.key, { after, upTo: null }))}
      ORDER BY ${quoted(table.key)} LIMIT 1 OFFSET ${rows - 1}`,
  )
  return row === undefined ? null : valuesOf(row)
}

/** Selects the parents of a page's rows. A page of a child names them in the first column of its key. */
const parentsOf = (key: readonly string[], { after, upTo }: Range): Statement =>
  allOf(
    after === null ? null : sql`${quoted(key)} >= ${after[0] ?? null}`,
    upTo === null ? null : sql`${quoted(key)} <= ${upTo[0] ?? null}`,
  )

const ALL: Range = { after: null, upTo: null }

/**
 * Selects the rows of a table within one window of it or of its parent, and within a page of that window. It looks up only the
 * parents of the page, because where rows are long, each look-up passes over them.
 */
const inWindow = (
  table: CopiedTable,
  ws: string,
  { window, page }: Readonly<{ window: Range; page: Range }>,
): Statement => {
  const { parent } = table
  if (parent === null) {
    const range = page === ALL ? window : { after: page.after ?? window.after, upTo: page.upTo }
    return allOf(table.scope(ws), inRange(table.key, range))
  }
  const { key, name, scope } = parent.table
  return sql`${raw(parent.column)} IN (SELECT ${quoted(key)} FROM ${raw(name)}
      WHERE ${scope(ws)} AND ${inRange(key, window)} AND ${parentsOf(key, page)})
    AND ${inRange(table.key, page)}`
}

const sizeOf = (columns: readonly string[]): Statement =>
  raw(columns.map((column) => `COALESCE(octet_length("${column}"), 0)`).join(' + '))

/** Splits the rows of a window into pages by their sizes. */
const planPages = (rows: readonly Row[]): readonly Range[] => {
  const pages: Range[] = []
  let after: Key | null = null
  let last: Key | null = null
  let count = 0
  let bytes = 0
  for (const row of rows) {
    const values = valuesOf(row)
    const size = asNumber(values.at(-1))
    if (count > 0 && (count === PAGE_ROWS || bytes + size > PAGE_BYTES)) {
      pages.push({ after, upTo: last })
      after = last
      count = 0
      bytes = 0
    }
    last = values.slice(0, -1)
    count += 1
    bytes += size
  }
  if (count > 0) pages.push({ after, upTo: last })
  return pages
}

async function* readWindow(
  reader: Pick<Reader, 'all'>,
  { table, ws }: Readonly<{ table: CopiedTable; ws: string }>,
  window: Range,
): AsyncGenerator<Page> {
  const key = quoted(table.key)
  const planned = await reader.all(
    sql`SELECT ${key}, ${sizeOf(table.columns)} AS size FROM ${raw(table.name)}
      WHERE ${inWindow(table, ws, { window, page: ALL })} ORDER BY ${key}`,
  )
  for (const page of planPages(planned)) {
    const rows = await reader.all(
      sql`SELECT ${quoted(table.columns)} FROM ${raw(table.name)}
        WHERE ${inWindow(table, ws, { window, page })} ORDER BY ${key}`,
    )
    yield rows.map(valuesOf)
  }
}

/** Reads all rows of a workspace in a table, ordered by key. @throws {DatabaseError} */
export async function* readRows(
  reader: Pick<Reader, 'all'>,
  table: CopiedTable,
  ws: string,
): AsyncGenerator<Page> {
  const driver = table.parent?.table ?? table
  const ownRows = table.parent === null ? OWN_ROWS : PARENT_ROWS
  const rows = driver.isIndexed ? ownRows : SCANNED_ROWS
  let after: Key | null = null
  for (;;) {
    const upTo: Key | null = await findEnd(reader, { table: driver, ws, rows }, after)
    yield* readWindow(reader, { table, ws }, { after, upTo })
    if (upTo === null) return
    after = upTo
  }
}

/** Reads the row of the workspace itself as a page. @throws {DatabaseError} */
export async function* readSettings(
  reader: Pick<Reader, 'all'>,
  ws: string,
  columns: readonly string[],
): AsyncGenerator<Page> {
  const rows = await reader.all(sql`SELECT ${quoted(columns)} FROM workspaces WHERE id = ${ws}`)
  yield rows.map(valuesOf)
}
