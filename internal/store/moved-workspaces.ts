/** What a move of a workspace writes to the directory, and how it holds the workspace on both sides [access 23.4]. */
import { HOME_CELL } from '#core/cells.ts'
import type { Reader, Statement } from './database.ts'
import type { HeldWorkspace } from './held-workspaces.ts'
import { exists, number } from './row.ts'
import { SQL_NOW, sql } from './sql.ts'

export type Move = Readonly<{ ws: string; id: string; from: string; to: string }>

/**
 * Begins a move. Changes no row where the workspace is elsewhere, moves already or has left rows behind, or where the instance key is
 * another one by now.
 * @param keyCheck of the instance key by which this process knows the keys of both cells
 */
export const beginMove = ({ ws, id, from, to }: Move, keyCheck: string): Statement =>
  sql`INSERT INTO workspace_cells (ws, cell, moving_to, move_id, changed_at)
    SELECT ${ws}, ${from}, ${to}, ${id}, ${SQL_NOW}
    WHERE (${from} = ${HOME_CELL} OR EXISTS (SELECT 1 FROM workspace_cells WHERE ws = ${ws}))
      AND EXISTS (SELECT 1 FROM meta WHERE key = 'instance_key_check' AND value = ${keyCheck})
    ON CONFLICT (ws) DO UPDATE SET moving_to = excluded.moving_to, move_id = excluded.move_id, changed_at = excluded.changed_at
    WHERE workspace_cells.cell = ${from} AND workspace_cells.moving_to IS NULL AND workspace_cells.left_in IS NULL`

/** Milliseconds since servers may know that the workspace moves. */
export const findMoveAge = (home: Reader, ws: string): Promise<number | null> =>
  number.one(home, sql`SELECT ${SQL_NOW} - changed_at FROM workspace_cells WHERE ws = ${ws}`)

/** The commit of a move: from now on the workspace is in the other cell. Changes no row when it is repeated. */
export const arrive = ({ ws, id, from, to }: Move): Statement =>
  sql`UPDATE workspace_cells SET cell = ${to}, left_in = ${from}, changed_at = ${SQL_NOW}
    WHERE ws = ${ws} AND move_id = ${id} AND cell = ${from} AND moving_to = ${to}`

/** Ends the pause: servers send requests to the other cell. */
export const endPause = ({ ws, id, to }: Move): Statement =>
  sql`UPDATE workspace_cells SET moving_to = NULL, changed_at = ${SQL_NOW}
    WHERE ws = ${ws} AND move_id = ${id} AND cell = ${to} AND moving_to = ${to}`

const GIVEN_UP = ' given up'

/** The identity of the move in what the directory has, and whether it was given up. */
export const readMoveId = (stored: string): Readonly<{ id: string; isGivenUp: boolean }> => ({
  id: stored.replace(GIVEN_UP, ''),
  isGivenUp: stored.endsWith(GIVEN_UP),
})

/** Decides that a move does not arrive, so that both sides can be put right. Changes no row once it has. */
export const giveMoveUp = ({ ws, id, from }: Move): Statement =>
  sql`UPDATE workspace_cells SET move_id = ${id + GIVEN_UP} WHERE ws = ${ws} AND move_id = ${id} AND cell = ${from}`

/** Both sides were put right: the workspace is served where it was. */
export const endGivenUp = ({ ws, id, from }: Move): Statement =>
  sql`UPDATE workspace_cells SET moving_to = NULL, move_id = NULL, changed_at = ${SQL_NOW}
    WHERE ws = ${ws} AND move_id = ${id + GIVEN_UP} AND cell = ${from}`

/** Nothing is left of the workspace in the cell that it came from. */
export const endMove = ({ ws, id }: Move): readonly Statement[] => [
  sql`UPDATE workspace_cells SET left_in = NULL, move_id = NULL WHERE ws = ${ws} AND move_id = ${id} AND moving_to IS NULL`,
  sql`DELETE FROM workspace_cells WHERE ws = ${ws} AND cell = ${HOME_CELL} AND moving_to IS NULL AND left_in IS NULL`,
]

/** Whether any workspace is between two cells. */
export const isAnyMoving = (home: Reader): Promise<boolean> =>
  exists(home, sql`SELECT 1 FROM workspace_cells WHERE moving_to IS NOT NULL LIMIT 1`)

/** Holds a workspace that is there, so that nothing of it is claimed or fired. */
export const holdForMove = ({ ws, fileId }: HeldWorkspace): Statement =>
  sql`INSERT INTO held_workspaces (ws, file_id, since) VALUES (${ws}, ${fileId}, ${SQL_NOW}) ON CONFLICT DO NOTHING`

/** Holds a workspace in the cell that it moves to. Changes no row where there is another of its id. */
export const holdArriving = ({ ws, fileId }: HeldWorkspace): Statement =>
  sql`INSERT INTO held_workspaces (ws, file_id, since) SELECT ${ws}, ${fileId}, ${SQL_NOW}
    WHERE NOT EXISTS (SELECT 1 FROM workspaces WHERE id = ${ws}) ON CONFLICT DO NOTHING`

/**
 * How many jobs of a workspace run. One whose lease has run out has lost its worker, and no scheduler takes it back while the workspace is
 * held: it goes along, and is taken back where it arrives.
 */
export const countRunning = async (db: Reader, ws: string): Promise<number> =>
  (await number.one(
    db,
    sql`SELECT count(*) FROM jobs WHERE ws = ${ws} AND status = 'running' AND lease_until >= ${SQL_NOW}`,
  )) ?? 0
