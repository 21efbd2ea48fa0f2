/**
 * Lists rows by key, newest first. A filter that no index answers may find nothing in a long history. Such a list is a search: it
 * looks at the rows in parts, between which other work runs, because a file database lets nothing else run during a statement.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader, SqlValue, Statement } from './database.ts'
import { allOf, raw, sql, TRUE, valueList } from './sql.ts'

/** A search looks at this number of rows in 5 to 15 ms, depending on its index. */
const ROWS_PER_PART = 4_000

export type OrderedList = Readonly<{
  /** The table and its index: what follows FROM. */
  from: Statement
  /** The conditions that the index answers, apart from bounds of the key. */
  within: Statement
  /** @default all rows */
  span?: Span
  /** The other conditions. A list without any is read with one statement. */
  matching: Statement
  /** The columns that order the list, with the index. */
  key: readonly string[]
}>

/** The values of the key. */
type Position = readonly SqlValue[]

/**
 * Bounds of the key. SQLite seeks by one bound at each end and tests the others row by row, so a statement gets only the narrowest:
 * each part of a search would otherwise begin or end at the span's.
 */
export type Span = Readonly<{
  /** Inclusive. */
  from: Position | null
  /** Exclusive. */
  before: Position | null
}>

const ALL: Span = { from: null, before: null }

/** A condition: the row is on a page behind this one, which null puts before all rows. An OR would keep SQLite from using the index. */
export const isBehind = (column: string, before: SqlValue): Statement =>
  before === null ? TRUE : sql`${raw(column)} < ${before}`

/** A page of rows that are ordered by id: those behind an id, or the first ones for null. */
export type IdPage = Readonly<{ beforeId: string | null; limit: number }>

/** A page of rows in ascending order of a name: those after a name, or the first ones for null. */
export type NamePage = Readonly<{ after: string | null; limit: number }>

/** Returns the position of a row in a list that is ordered by id. */
export const positionOf = (id: string | null): Position | null => (id === null ? null : [id])

type Page = Readonly<{ before: Position | null; limit: number }>

const compare = (
  { key }: OrderedList,
  operator: '<' | '>=',
  at: Position | null,
): Statement | null =>
  at === null ? null : sql`${raw(`(${key.join(', ')}) ${operator}`)} (${valueList(at)})`

const olderOf = (one: Position | null, other: Position | null): Position | null => {
  if (one === null || other === null) return one ?? other
  const at = one.findIndex((value, index) => value !== other[index])
  return (one[at] ?? '') < (other[at] ?? '') ? one : other
}

const newestFirst = ({ key }: OrderedList): Statement =>
  raw(key.map((column) => `${column} DESC`).join(', '))

/** Returns the position of the last row of a part, whether it matches or not; null if fewer rows are left. */
const endOfPart = async (
  db: Reader,
  list: OrderedList,
  { before, from, limit }: Page & Span,
): Promise<Position | null> => {
  const conditions = allOf(list.within, compare(list, '<', before), compare(list, '>=', from))
  const found = await db.one(
    sql`SELECT ${raw(list.key.join(', '))} FROM ${list.from} WHERE ${conditions}
      ORDER BY ${newestFirst(list)} LIMIT 1 OFFSET ${limit - 1}`,
  )
  return found === null ? null : Object.values(found)
}

const pageOf = (
  columns: Statement,
  list: OrderedList,
  { before, from, limit }: Page & Span,
): Statement => {
  const { within, matching } = list
  const bounds = [compare(list, '<', before), compare(list, '>=', from)]
  return sql`SELECT ${columns} FROM ${list.from}
    WHERE ${allOf(within, matching, ...bounds)} ORDER BY ${newestFirst(list)} LIMIT ${limit}`
}

export type RowSearch<Found> = Page &
  Readonly<{
    /** The columns that `read` needs of the table. */
    columns: Statement
    /** Reads the rows that the statement selects, in its order. */
    read: (page: Statement) => Promise<readonly Found[]>
    /** @default 4,000 */
    rowsPerPart?: number
  }>

/** Lists up to `limit` rows, newest first. */
export const searchRows = async <Found>(
  db: Reader,
  list: OrderedList,
  { columns, read, before, limit, rowsPerPart = ROWS_PER_PART }: RowSearch<Found>,
): Promise<readonly Found[]> => {
  const { span = ALL } = list
  let start = olderOf(before, span.before)
  if (list.matching === TRUE)
    return read(pageOf(columns, list, { before: start, from: span.from, limit }))
  const found: Found[] = []
  for (;;) {
    const end = await endOfPart(db, list, { before: start, from: span.from, limit: rowsPerPart })
    const part = { before: start, from: end ?? span.from, limit: limit - found.length }
    found.push(...(await read(pageOf(columns, list, part))))
    if (end === null || found.length >= limit) return found
    start = end
    await nextTurn()
  }
}
