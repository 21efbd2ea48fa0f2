/** Counts the rows of each table, for reports on a database that contain none of its data. */
import type { Reader } from '../database.ts'
import { text } from '../row.ts'
import { raw, sql } from '../sql.ts'

export type RowCount = Readonly<{ table: string; rows: number }>

/** Counts the rows of all tables. It reads one index of each. @throws {DatabaseError} */
export const countRows = async (db: Reader): Promise<readonly RowCount[]> => {
  const tables = await text.all(
    db,
    sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  )
  const counts: RowCount[] = []
  for (const table of tables) {
    const row = await db.one(sql`SELECT count(*) AS n FROM ${raw(`"${table}"`)}`)
    counts.push({ table, rows: Number(row?.n) })
  }
  return counts
}

export type JobCount = Readonly<{ status: string; jobs: number }>

/** Counts jobs by status. @throws {DatabaseError} */
export const countJobsByStatus = async (db: Reader): Promise<readonly JobCount[]> => {
  const rows = await db.all(sql`SELECT status, count(*) AS n FROM jobs GROUP BY status`)
  return rows.map(({ status, n }) => ({ status: String(status), jobs: Number(n) }))
}
