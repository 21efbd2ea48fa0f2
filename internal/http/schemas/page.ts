/** Lists [wire 4]: `{items, pagination: {next_cursor}}`, keyset, `limit` 1..500, default 50. */
import { type AppError, invalid } from '#core/error.ts'
import { wholeNumber } from './whole-number.ts'
import { z } from './z.ts'

const limit = wholeNumber(1, 500)
const LIMIT = 'rows of a page, 1 to 500'
const cursor = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .describe('`next_cursor` of the page before; without it the first page')

export const pageQuery = z.object({
  limit: limit.default(50).describe(`${LIMIT}; default 50`),
  cursor,
})

/** For short lists, which return all rows unless the request has a `limit` [wire 4.5]. */
export const shortListQuery = z.object({
  limit: limit.optional().describe(`${LIMIT}; default all`),
  cursor,
})

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    pagination: z.object({ next_cursor: z.string().nullable() }),
  })

const PREFIX = 'c1.'

/** An opaque text: clients must not read meaning into it. */
export const encodeCursor = (key: string): string =>
  PREFIX + Buffer.from(key, 'utf8').toString('base64url')

/** @throws {AppError} invalid */
export const decodeCursor = (cursor: string | undefined): string | null => {
  if (cursor === undefined) return null
  const key = Buffer.from(cursor.slice(PREFIX.length), 'base64url').toString('utf8')
  if (!cursor.startsWith(PREFIX) || encodeCursor(key) !== cursor) throw unknownCursor()
  return key
}

export const unknownCursor = (): AppError =>
  invalid('The cursor is not one that this list gave. Start from the first page.', {
    code: 'invalid_cursor',
  })

/** The page that a query asks for, in the order of ids, newest first. It has one row more than `limit`, for `paginate`. */
export const pageBefore = ({ limit, cursor }: z.output<typeof pageQuery>) => ({
  beforeId: decodeCursor(cursor),
  limit: limit + 1,
})

/** Like `pageBefore`, in ascending order of a name. */
export const pageAfter = ({ limit, cursor }: z.output<typeof pageQuery>) => ({
  after: decodeCursor(cursor),
  limit: limit + 1,
})

/**
 * @param rows the result of a query for one row more than `limit`; the additional row shows that there is a further page
 * @param keyOf the position after which the next page begins
 */
export const paginate = <Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string,
): Page<Row> => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return { items, pagination: { nextCursor: hasMore ? encodeCursor(keyOf(last)) : null } }
}

/**
 * Returns a page of a short list, whose rows have all been read. The cursor's own row may be deleted meanwhile.
 * @param isAfter whether a key comes after the cursor's in the order of the rows @default in ascending order
 * @throws {AppError} invalid
 */
export const pageOfShortList = <Row>(
  rows: readonly Row[],
  { limit = rows.length, cursor }: z.output<typeof shortListQuery>,
  keyOf: (row: Row) => string,
  isAfter = (key: string, before: string): boolean => key > before,
): Page<Row> => {
  const before = decodeCursor(cursor)
  const rest = before === null ? rows : rows.filter((row) => isAfter(keyOf(row), before))
  return paginate(rest, limit, keyOf)
}

/** The order of short lists that begin with the newest row. */
export const isOlder = (key: string, before: string): boolean => key < before

export type Page<Row> = Readonly<{
  items: readonly Row[]
  pagination: Readonly<{ nextCursor: string | null }>
}>
