/** What a move of a workspace writes to the directory, and how it holds the workspace in both cells [access 23.4]. */
import { HOME_CELL } from '#core/cells.ts'
import type { Reader, Statement } from '../database.ts'
import { count, exists, number } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'
import type { HeldWorkspace } from './held.ts'

export type Move = Readonly<{ ws: string; id: string; from: string; to: string }>

/**
 * Begins a move. Changes no row if the workspace is in another cell, is already moving or has left rows behind, or if the
 * instance key has changed.
 * @param keyCheck check value of the instance key that this process has used for both cells
 */
export const beginMove = ({ ws, id, from, to }: Move, keyCheck: string): Statement =>
  sql`INSERT INTO workspace_cells (ws, cell, moving_to, move_id, changed_at)
    SELECT ${ws}, ${from}, ${to}, ${id}, ${SQL_NOW}
    WHERE (${from} = ${HOME_CELL} OR EXISTS (SELECT 1 FROM workspace_cells WHERE ws = ${ws}))
      AND EXISTS (SELECT 1 FROM meta WHERE key = 'instance_key_check' AND value = ${keyCheck})
    ON CONFLICT (ws) DO UPDATE SET moving_to = excluded.moving_to, move_id = excluded.move_id, changed_at = excluded.changed_at
    WHERE workspace_cells.cell = ${from} AND workspace_cells.moving_to IS NULL AND workspace_cells.left_in IS NULL`

/** Returns the milliseconds since the workspace's row of the directory changed, so since servers can know that it moves. */
export const findMoveAge = (home: Reader, ws: string): Promise<number | null> =>
  number.one(home, sql`SELECT ${SQL_NOW} - changed_at FROM workspace_cells WHERE ws = ${ws}`)

/** Commits a move: from now on, the workspace is in the other cell. Changes no row if it is repeated. */
export const arrive = ({ ws, id, from, to }: Move): Statement =>
  sql`UPDATE workspace_cells SET cell = ${to}, left_in = ${from}, changed_at = ${SQL_NOW}
    WHERE ws = ${ws} AND move_id = ${id} AND cell = ${from} AND moving_to = ${to}`

/** Ends the pause, so that servers send requests to the other cell. */
export const endPause = ({ ws, id, to }: Move): Statement =>
  sql`UPDATE workspace_cells SET moving_to = NULL, changed_at = ${SQL_NOW}
    WHERE ws = ${ws} AND move_id = ${id} AND cell = ${to} AND moving_to = ${to}`

const GIVEN_UP = ' given up'

/** Parses a stored move id, and whether the move was given up. */
export const readMoveId = (stored: string): Readonly<{ id: string; isGivenUp: boolean }> => ({
  id: stored.replace(GIVEN_UP, ''),
  isGivenUp: stored.endsWith(GIVEN_UP),
})

/** Gives up a move that has not arrived, so that both cells can be restored. Changes no row if it has arrived. */
export const giveMoveUp = ({ ws, id, from }: Move): Statement =>
  sql`UPDATE workspace_cells SET move_id = ${id + GIVEN_UP} WHERE ws = ${ws} AND move_id = ${id} AND cell = ${from}`

/** Ends a move that was given up. Both cells were restored, and the workspace is served where it was. */
export const endGivenUp = ({ ws, id, from }: Move): Statement =>
  sql`UPDATE workspace_cells SET moving_to = NULL, move_id = NULL, changed_at = ${SQL_NOW}
    WHERE ws = ${ws} AND move_id = ${id + GIVEN_UP} AND cell = ${from}`

/** Ends a move after the cell that the workspace came from has none of its rows left. */
export const endMove = ({ ws, id }: Move): readonly Statement[] => [
  sql`UPDATE workspace_cells SET left_in = NULL, move_id = NULL WHERE ws = ${ws} AND move_id = ${id} AND moving_to IS NULL`,
  sql`DELETE FROM workspace_cells WHERE ws = ${ws} AND cell = ${HOME_CELL} AND moving_to IS NULL AND left_in IS NULL`,
]

/** Returns whether any workspace is moving between two cells. */
export const isAnyMoving = (home: Reader): Promise<boolean> =>
  exists(home, sql`SELECT 1 FROM workspace_cells WHERE moving_to IS NOT NULL LIMIT 1`)

/** Holds an existing workspace, so that none of its jobs is claimed and none of its schedules fires. */
export const holdForMove = ({ ws, fileId }: HeldWorkspace): Statement =>
  sql`INSERT INTO held_workspaces (ws, file_id, since) VALUES (${ws}, ${fileId}, ${SQL_NOW}) ON CONFLICT DO NOTHING`

/** Holds a workspace in the cell that it moves to. Changes no row if a workspace with its id exists there. */
export const holdArriving = ({ ws, fileId }: HeldWorkspace): Statement =>
  sql`INSERT INTO held_workspaces (ws, file_id, since) SELECT ${ws}, ${fileId}, ${SQL_NOW}
    WHERE NOT EXISTS (SELECT 1 FROM workspaces WHERE id = ${ws}) ON CONFLICT DO NOTHING`

/**
 * Counts the running jobs of a workspace. A job with an expired lease has lost its worker and is not counted. No scheduler
 * rescues it while the workspace is held: it moves along, and is rescued in the other cell.
 */
export const countRunning = (db: Reader, ws: string): Promise<number> =>
  count(
    db,
    sql`SELECT count(*) FROM jobs WHERE ws = ${ws} AND status = 'running' AND lease_until >= ${SQL_NOW}`,
  )
