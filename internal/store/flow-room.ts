/** Flow runs that wait for room in their workspace's queue: they say so in their own rows. */
import { asText } from './column.ts'
import { type Database, sql } from './database.ts'

/** Workspaces with runs that wait for room in their queue. Nothing waits: one probe of an empty index. */
export const listWorkspacesAwaitingRoom = async (db: Database): Promise<readonly string[]> => {
  const rows = await db.all(
    sql(
      `WITH RECURSIVE waiting (ws) AS (
         SELECT MIN(ws) FROM flow_runs INDEXED BY flow_runs_awaiting_room WHERE awaits_room = 1
         UNION ALL
         SELECT (SELECT MIN(ws) FROM flow_runs INDEXED BY flow_runs_awaiting_room
           WHERE awaits_room = 1 AND ws > waiting.ws)
         FROM waiting WHERE waiting.ws IS NOT NULL)
       SELECT ws FROM waiting WHERE ws IS NOT NULL`,
    ),
  )
  return rows.map((row) => asText(row.ws))
}

/** Oldest first. */
export const listRunsAwaitingRoom = async (
  db: Database,
  ws: string,
  limit: number,
): Promise<readonly string[]> => {
  const rows = await db.all(
    sql(
      `SELECT id FROM flow_runs INDEXED BY flow_runs_awaiting_room
       WHERE ws = ? AND awaits_room = 1 ORDER BY id LIMIT ?`,
      ws,
      limit,
    ),
  )
  return rows.map((row) => asText(row.id))
}
