/** Flow runs whose rows record that they wait for room in their workspace's queue. */
import type { Database } from '../database.ts'
import { text } from '../row.ts'
import { raw, sql } from '../sql.ts'
import { listWorkspacesWith } from '../workspaces/with-rows.ts'

/** A condition on `flow_runs`. Older versions left `awaits_room` in the rows of canceled subflows. */
export const AWAITS_ROOM = raw('awaits_room = 1 AND completed_at IS NULL')

/** Lists workspaces with runs that wait for room in their queue. */
export const listWorkspacesAwaitingRoom = (db: Database): Promise<readonly string[]> =>
  listWorkspacesWith(db, {
    table: 'flow_runs',
    index: 'flow_runs_awaiting_room',
    where: AWAITS_ROOM,
  })

/** Lists runs of a workspace that wait for room, oldest first. @param limit at most this many */
export const listRunsAwaitingRoom = (
  db: Database,
  ws: string,
  limit: number,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT id FROM flow_runs INDEXED BY flow_runs_awaiting_room
      WHERE ws = ${ws} AND ${AWAITS_ROOM} ORDER BY id LIMIT ${limit}`,
  )

/**
 * Lists those of the oldest runs that wait for room although nothing of their step is left to begin: the step only has to be
 * ended. @param limit how many waiting runs are examined
 */
export const listRunsToEnd = (
  db: Database,
  ws: string,
  limit: number,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT id FROM (SELECT id, step_index FROM flow_runs INDEXED BY flow_runs_awaiting_room
        WHERE ws = ${ws} AND ${AWAITS_ROOM} ORDER BY id LIMIT ${limit}) r
      WHERE NOT EXISTS (SELECT 1 FROM flow_slots s
        WHERE s.run_id = r.id AND s.step_index = r.step_index AND s.error IS NULL)`,
  )
