/** Which of many jobs or flow runs have not ended, in one query for all requests that wait for them. */
import type { Reader } from './database.ts'
import { row, text } from './row.ts'
import { raw, sql } from './sql.ts'

export type WorkPlace = Readonly<{ ws: string; id: string }>

const place = row({ ws: text('w.ws'), id: text('w.id') })

/** @throws {DatabaseError} */
export const listOpenWork = (
  db: Reader,
  table: 'jobs' | 'flow_runs',
  places: readonly WorkPlace[],
): Promise<readonly WorkPlace[]> =>
  place.all(
    db,
    sql`SELECT ${place.columns()} FROM json_each(${JSON.stringify(places.map(({ ws, id }) => [ws, id]))}) AS each
      CROSS JOIN ${raw(table)} w ON w.ws = each.value ->> 0 AND w.id = each.value ->> 1
      WHERE w.completed_at IS NULL`,
  )
