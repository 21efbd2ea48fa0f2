/** Lists [wire 4]: `{items, pagination: {next_cursor}}`, keyset, `limit` 1..500, default 50. */

import { invalid } from '#core/error.ts'
import { z } from './z.ts'

export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().min(1).max(500).optional(),
})

export const pageOf = (item: z.ZodType) =>
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
  if (!cursor.startsWith(PREFIX) || encodeCursor(key) !== cursor) {
    throw invalid('The cursor is not one that this list gave. Start from the first page.', {
      code: 'invalid_cursor',
    })
  }
  return key
}

/** `rows` holds one more than `limit` when there is a further page. */
export const toPage = <Row, Item>(
  rows: readonly Row[],
  limit: number,
  { toItem, keyOf }: Readonly<{ toItem: (row: Row) => Item; keyOf: (row: Row) => string }>,
) => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return {
    items: shown.map(toItem),
    pagination: { next_cursor: hasMore ? encodeCursor(keyOf(last)) : null },
  }
}
