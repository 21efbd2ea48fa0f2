/** What a caller has read of a row that it changes, as `If-Match` and `If-None-Match` name it [wire 3.8]. */
import type { Reader, Statement } from './database.ts'
import { text } from './row.ts'
import { listed, sql, TRUE } from './sql.ts'

/**
 * The times of its last change, which differ for each change; `any`: there is a row; `none`: there is none. Null if anything may
 * be there.
 */
export type RowMatch = readonly number[] | 'any' | 'none' | null

/**
 * A condition: the row is as the caller has read it.
 * @param row table and condition of one row, such as `drafts WHERE ws = 'a' AND app = 'b'`
 */
export const isAsRead = (row: Statement, match: RowMatch): Statement => {
  if (match === null) return TRUE
  if (match === 'none') return sql`NOT EXISTS (SELECT 1 FROM ${row})`
  if (match === 'any') return sql`EXISTS (SELECT 1 FROM ${row})`
  const times = listed(match)
  return sql`EXISTS (SELECT 1 FROM ${row} AND updated_at IN ${times})`
}

/** Whether a row is as the caller has read it. */
export const isMatch = ({ updatedAt }: Readonly<{ updatedAt: number }>, match: RowMatch): boolean =>
  match === null || match === 'any' || (match !== 'none' && match.includes(updatedAt))

/** What a caller has read of something without a time of its last change; null if anything may be there. */
export type ContentMatch = ((content: string) => boolean) | null

/** Reads a content, which `content` selects as one text; null if there is nothing. */
export const readContent = (db: Pick<Reader, 'one'>, content: Statement): Promise<string | null> =>
  text.nullable.one(db, content)

/** A statement that fails its batch if the content is no longer as it was read. */
export const requireContent = (content: Statement, read: string): Statement =>
  // an empty text is not JSON, so that the function fails
  sql`SELECT json(CASE WHEN (${content}) IS ${read} THEN '1' ELSE '' END)`
