/**
 * Reads pages of due rows in parts, between which other work runs. A page leaves out the rows of some workspaces, and one of them
 * may have hundreds of thousands that are due at once: a file database would let nothing else run until all are passed over.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader, SqlValue, Statement } from './database.ts'
import { type DuePage, isOnPage } from './due-place.ts'
import { allOf, raw, sql, TRUE, valueList } from './sql.ts'

/** A part passes over this number of rows in 3 to 12 ms, depending on what leaves them out. */
const ROWS_PER_PART = 20_000

export type DueList = Readonly<{
  /** The table and its index: what follows FROM. */
  from: string
  /** The conditions apart from bounds of the key. */
  within: Statement
  /** The columns that order the index. */
  key: readonly [first: string, id: string]
  /** The column by which rows are due. @default the first of the key */
  at?: string
  /** Rows whose first column is greater are not due. @default none */
  until?: Statement
}>

/** The values of the key; null for a page that begins with the first row, or ends with the last. */
type Bound = readonly SqlValue[] | null

const keyOf = ({ key }: DueList): Statement => raw(key.join(', '))

/** SQLite ends a scan at one bound and tests the others row by row, so a part has its own end alone. */
const boundsOf = (list: DueList, after: Bound, last: Bound): Statement => {
  const { until, key } = list
  const end =
    last === null
      ? until === undefined
        ? TRUE
        : sql`${raw(key[0])} <= ${until}`
      : sql`(${keyOf(list)}) <= (${valueList(last)})`
  return allOf(end, after === null ? TRUE : sql`(${keyOf(list)}) > (${valueList(after)})`)
}

/** Returns the key of the last row of a full part, or null if fewer rows are left. */
const endOfPart = async (db: Reader, list: DueList, after: Bound): Promise<Bound> => {
  const found = await db.one(
    sql`SELECT ${keyOf(list)} FROM ${raw(list.from)} WHERE ${allOf(list.within, boundsOf(list, after, null))}
      ORDER BY ${keyOf(list)} LIMIT 1 OFFSET ${ROWS_PER_PART - 1}`,
  )
  return found === null ? null : Object.values(found)
}

/**
 * Returns a page of due rows, the longest due first.
 * @param read reads the rows that a statement selects by `from`, `where` and `limit`, in the order of the key
 */
export const readDueRows = async <Row>(
  db: Reader,
  list: DueList,
  page: DuePage,
  read: (part: Readonly<{ where: Statement; limit: number }>) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const { at = list.key[0] } = list
  const isWanted = allOf(list.within, isOnPage(page, at))
  const rows: Row[] = []
  for (let after: Bound = null; ; ) {
    // without rows to leave out, the statement ends at its limit
    const last: Bound = page.behind.length === 0 ? null : await endOfPart(db, list, after)
    const where = allOf(isWanted, boundsOf(list, after, last))
    rows.push(...(await read({ where, limit: page.limit - rows.length })))
    if (last === null || rows.length >= page.limit) return rows
    after = last
    await nextTurn()
  }
}
