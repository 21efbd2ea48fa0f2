/** Keeps a list that is loaded page by page up to date while its head is read again and again. Pure. */

export type Page<Row> = Readonly<{
  items: readonly Row[]
  pagination: Readonly<{ next_cursor: string | null }>
}>

export type Merged<Row> = Readonly<{
  rows: readonly Row[]
  /** Number of rows at the head that the loaded pages do not have yet. */
  fresh: number
  /** Whether rows are missing between the head and the pages, because more rows have come than one head holds. */
  hasGap: boolean
}>

/**
 * Replaces rows by newer versions, and leaves out rows that the newer read no longer has, because they were deleted or no longer
 * match the filters.
 * @param from the place of the first row that was read again
 */
export const refreshRows = <Row>(
  rows: readonly Row[],
  { items, pagination }: Page<Row>,
  { keyOf, from }: Readonly<{ keyOf: (row: Row) => string; from: number }>,
): readonly Row[] => {
  const newer = new Map(items.map((row) => [keyOf(row), row]))
  const last = rows.findLastIndex((row) => newer.has(keyOf(row)))
  // the end of the list was read too if there is no further page
  const to = pagination.next_cursor === null ? rows.length : last + 1
  return rows.flatMap((row, at) => {
    const found = newer.get(keyOf(row))
    return found === undefined && at >= from && at < to ? [] : [found ?? row]
  })
}

/**
 * Refreshes the rows at the head, and puts new rows first.
 * @param head the newest rows, as of the last read; undefined before it
 * @param withFresh whether new rows are shown, or only counted
 */
export const mergePages = <Row>(
  pages: readonly Page<Row>[],
  head: Page<Row> | undefined,
  { keyOf, withFresh }: Readonly<{ keyOf: (row: Row) => string; withFresh: boolean }>,
): Merged<Row> => {
  const seen = new Set<string>()
  const loaded: Row[] = []
  for (const { items } of pages) {
    for (const row of items) {
      const key = keyOf(row)
      if (seen.has(key)) continue
      seen.add(key)
      loaded.push(row)
    }
  }
  if (head === undefined) return { rows: loaded, fresh: 0, hasGap: false }
  const { items, pagination } = head
  const fresh = items.filter((row) => !seen.has(keyOf(row)))
  const hasGap =
    loaded.length > 0 &&
    fresh.length > 0 &&
    fresh.length === items.length &&
    pagination.next_cursor !== null
  const known = refreshRows(loaded, head, { keyOf, from: 0 })
  const rows = withFresh && !hasGap ? [...fresh, ...known] : known
  return { rows, fresh: fresh.length, hasGap }
}
