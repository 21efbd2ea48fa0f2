/** Deletes the rows of an abandoned import while it still holds the workspace. */
import type { SqlValue, Statement } from '../database.ts'
import { raw, sql, valueList } from '../sql.ts'
import { type HeldWorkspace, isHeldBy } from '../workspaces/held.ts'
import { type CopiedTable, quoted } from './tables.ts'

/** Deletes the rows of a page that was read (read-rows.ts). */
export const deleteCopiedRows = (
  held: HeldWorkspace,
  { name, columns, key, scope }: CopiedTable,
  page: readonly (readonly SqlValue[])[],
): Statement => {
  const keyOf = (row: readonly SqlValue[] | undefined): readonly SqlValue[] =>
    key.map((column) => row?.[columns.indexOf(column)] ?? null)
  const inOrder = quoted(key)
  return sql`DELETE FROM ${raw(name)} WHERE ${scope(held.ws)} AND ${isHeldBy(held)}
    AND (${inOrder}) >= (${valueList(keyOf(page[0]))}) AND (${inOrder}) <= (${valueList(keyOf(page.at(-1)))})`
}

/** Deletes the workspace itself, after everything that refers to it. */
export const deleteCopiedWorkspace = (held: HeldWorkspace): Statement =>
  sql`DELETE FROM workspaces WHERE id = ${held.ws} AND ${isHeldBy(held)}`
