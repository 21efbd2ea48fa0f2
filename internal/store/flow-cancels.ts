/** Runs of subflows that their parent runs have canceled and whose own transitions have not processed it yet. */
import type { Database } from './database.ts'
import { isNotHeld } from './held-workspaces.ts'
import { type RowOf, row, text } from './row.ts'
import { sql } from './sql.ts'

const markedRun = row({ ws: text, id: text })
export type MarkedRun = RowOf<typeof markedRun>

/** Lists marked runs. If there are none, it is one probe of an empty index. @param limit at most this many */
export const listMarkedRuns = (db: Database, limit: number): Promise<readonly MarkedRun[]> =>
  markedRun.all(
    db,
    sql`SELECT ws, id FROM flow_runs INDEXED BY flow_runs_to_cancel
      WHERE cancel_reason IS NOT NULL AND completed_at IS NULL AND ${isNotHeld('ws')} ORDER BY ws, id LIMIT ${limit}`,
  )
