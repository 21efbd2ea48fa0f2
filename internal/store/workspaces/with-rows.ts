import type { Database, Statement } from '../database.ts'
import { text } from '../row.ts'
import { raw, sql } from '../sql.ts'
import { isNotHeld } from './held.ts'

/**
 * Lists the workspaces with rows that fulfil a condition, without those that are held. Each costs one probe of the index,
 * which begins with `ws`. If there is none, it is one probe of an empty index.
 */
export const listWorkspacesWith = (
  db: Database,
  { table, index, where }: Readonly<{ table: string; index: string; where: Statement }>,
): Promise<readonly string[]> => {
  const rows = raw(`${table} INDEXED BY ${index}`)
  return text.all(
    db,
    sql`WITH RECURSIVE found (ws) AS (
        SELECT MIN(ws) FROM ${rows} WHERE ${where}
        UNION ALL
        SELECT (SELECT MIN(ws) FROM ${rows} WHERE ${where} AND ws > found.ws)
        FROM found WHERE found.ws IS NOT NULL)
      SELECT ws FROM found WHERE ws IS NOT NULL AND ${isNotHeld('ws')}`,
  )
}
