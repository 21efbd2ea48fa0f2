import type { Page } from './merge-pages.ts'

type Query = Readonly<{ cursor: string | undefined; limit: number }>

/** Reads the first rows of a list whose pages may end early, as those of schedules with large inputs do. */
export const readRows = async <Row>(
  most: number,
  read: (query: Query) => Promise<Page<Row>>,
): Promise<readonly Row[]> => {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const { items, pagination } = await read({ cursor, limit: most - rows.length })
    rows.push(...items)
    cursor = pagination.next_cursor ?? undefined
  } while (cursor !== undefined && rows.length < most)
  return rows
}
