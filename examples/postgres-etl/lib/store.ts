import type { Sql } from 'postgres'

export type Order = { id: number; day: string; cents: number }

/** How far the source has been read. */
export const readCursor = async (sql: Sql): Promise<number> => {
  await sql`CREATE TABLE IF NOT EXISTS etl_cursor (source text PRIMARY KEY, last_id bigint NOT NULL)`
  await sql`CREATE TABLE IF NOT EXISTS revenue (day date PRIMARY KEY, orders int NOT NULL, cents bigint NOT NULL)`
  await sql`INSERT INTO etl_cursor VALUES ('orders', 0) ON CONFLICT DO NOTHING`
  const [row] = await sql`SELECT last_id FROM etl_cursor WHERE source = 'orders'`
  return Number(row?.last_id)
}

/**
 * Adds a page to the revenue, and moves the cursor in the same transaction: both happen, or neither. The cursor moves only
 * from where this page begins, so that another attempt that still runs cannot add the page a second time.
 * @returns whether the page was added
 */
export const addPage = (sql: Sql, from: number, page: readonly Order[]): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const to = page.at(-1)?.id ?? from
    const moved = await transaction`
      UPDATE etl_cursor SET last_id = ${to} WHERE source = 'orders' AND last_id = ${from}`
    if (moved.count === 0) return false
    for (const { day, cents } of page) {
      await transaction`
        INSERT INTO revenue VALUES (${day}, 1, ${cents})
        ON CONFLICT (day) DO UPDATE SET orders = revenue.orders + 1, cents = revenue.cents + excluded.cents`
    }
    return true
  })
