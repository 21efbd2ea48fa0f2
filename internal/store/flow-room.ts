/** Flow runs that wait for room in their workspace's queue, as their rows record. */
import type { Database } from './database.ts'
import { isNotHeld } from './held-workspaces.ts'
import { text } from './row.ts'
import { sql } from './sql.ts'

/** Workspaces with runs that wait for room in their queue. When none waits, this is one probe of an empty index. */
export const listWorkspacesAwaitingRoom = (db: Database): Promise<readonly string[]> =>
  text.all(
    db,
    sql`WITH RECURSIVE waiting (ws) AS (
        SELECT MIN(ws) FROM flow_runs INDEXED BY flow_runs_awaiting_room WHERE awaits_room = 1
        UNION ALL
        SELECT (SELECT MIN(ws) FROM flow_runs INDEXED BY flow_runs_awaiting_room
          WHERE awaits_room = 1 AND ws > waiting.ws)
        FROM waiting WHERE waiting.ws IS NOT NULL)
      SELECT ws FROM waiting WHERE ws IS NOT NULL AND ${isNotHeld('ws')}`,
  )

/** Runs of a workspace that wait for room, oldest first. @param limit at most so many */
export const listRunsAwaitingRoom = (
  db: Database,
  ws: string,
  limit: number,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT id FROM flow_runs INDEXED BY flow_runs_awaiting_room
      WHERE ws = ${ws} AND awaits_room = 1 ORDER BY id LIMIT ${limit}`,
  )
