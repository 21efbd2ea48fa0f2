/** What a caller has read of a row that it changes, as `If-Match` and `If-None-Match` name it [wire 3.8]. */
import type { Statement } from './database.ts'
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
