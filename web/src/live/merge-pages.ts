/** How a list that is read page by page stays true while its head is read again and again. Pure. */

export type Page<Row> = Readonly<{
  items: readonly Row[]
  pagination: Readonly<{ next_cursor: string | null }>
}>

export type Merged<Row> = Readonly<{
  rows: readonly Row[]
  /** Rows at the head that the loaded pages do not have yet. */
  fresh: number
  /** More has come than one head holds: between it and the pages rows are missing. */
  hasGap: boolean
}>

/**
 * Newer versions of rows replace older ones in place; new ones come first.
 * @param head the newest rows, as read last
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
