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
 * Replaces rows by newer versions in place, and puts new rows first.
 * @param head the newest rows, as of the last read
 * @param withFresh whether new rows are shown, or only counted
 */
export const mergePages = <Row>(
  pages: readonly Page<Row>[],
  head: readonly Row[],
  { keyOf, withFresh }: Readonly<{ keyOf: (row: Row) => string; withFresh: boolean }>,
): Merged<Row> => {
  const newest = new Map(head.map((row) => [keyOf(row), row]))
  const seen = new Set<string>()
  const loaded: Row[] = []
  for (const { items } of pages) {
    for (const row of items) {
      const key = keyOf(row)
      if (seen.has(key)) continue
      seen.add(key)
      loaded.push(newest.get(key) ?? row)
    }
  }
  const fresh = head.filter((row) => !seen.has(keyOf(row)))
  const hasGap = loaded.length > 0 && fresh.length > 0 && fresh.length === head.length
  const rows = withFresh && !hasGap ? [...fresh, ...loaded] : loaded
  return { rows, fresh: fresh.length, hasGap }
}
