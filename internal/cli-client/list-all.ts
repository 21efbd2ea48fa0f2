/** Reads a list of the API to its end. */
import { z } from 'zod'
import type { Client } from './client.ts'

/** The most rows that a page has. */
export const MAX_ROWS = 500

const paged = z.looseObject({ pagination: z.looseObject({ next_cursor: z.string().nullable() }) })

/** The cursor of the next page; null after the last one, and for lists without pages. */
const cursorAfter = (found: unknown): string | null =>
  paged.safeParse(found).data?.pagination.next_cursor ?? null

/**
 * Returns the pages of a list.
 * @param first path of the first page, with a query
 * @throws {AppError} as `client.call` does
 */
export const listAll = async <Page extends z.ZodType>(
  client: Pick<Client, 'call'>,
  page: Page,
  first: string,
): Promise<readonly z.output<Page>[]> => {
  const pages: z.output<Page>[] = []
  for (let path: string | null = first; path !== null; ) {
    const found: z.output<Page> = await client.call(page, path)
    pages.push(found)
    const cursor = cursorAfter(found)
    path = cursor === null ? null : `${first}&cursor=${encodeURIComponent(cursor)}`
  }
  return pages
}
