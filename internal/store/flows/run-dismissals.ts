/** Dismissed flow runs: failures that need no further attention [flows 13.6]. The runs themselves never change. */
import type { Database, Statement } from '../database.ts'
import type { Dismissal } from '../jobs/dismissals.ts'
import { type RowOf, row, text, time } from '../row.ts'
import { allOf, listed, SQL_NOW, sql } from '../sql.ts'

const runsOf = ({ ws, ids, createdBy }: Dismissal): Statement =>
  sql`SELECT r.id FROM flow_runs r WHERE ${allOf(
    sql`r.ws = ${ws}`,
    sql`r.id IN ${listed(ids)}`,
    sql`r.status = 'failed'`,
    createdBy === null ? null : sql`r.created_by = ${createdBy}`,
  )}`

/** Dismisses failed runs. Changes one row for each run that was not dismissed before. */
export const insertRunDismissals = (dismissal: Dismissal, by: string): Statement =>
  sql`INSERT INTO flow_run_dismissals (ws, run_id, dismissed_by, dismissed_at)
    SELECT ${dismissal.ws}, id, ${by}, ${SQL_NOW} FROM (${runsOf(dismissal)}) WHERE TRUE
    ON CONFLICT DO NOTHING`

/** Ends dismissals. Changes one row for each run that was dismissed. */
export const deleteRunDismissals = (dismissal: Dismissal): Statement =>
  sql`DELETE FROM flow_run_dismissals WHERE ws = ${dismissal.ws} AND run_id IN (${runsOf(dismissal)})`

const dismissedRow = row({ dismissedAt: time, dismissedBy: text })
export type DismissedRun = RowOf<typeof dismissedRow>

/** Finds when and by whom a run was dismissed; null if it was not. */
export const findRunDismissal = (
  db: Database,
  ws: string,
  id: string,
): Promise<DismissedRun | null> =>
  dismissedRow.one(
    db,
    sql`SELECT ${dismissedRow.columns()} FROM flow_run_dismissals WHERE ws = ${ws} AND run_id = ${id}`,
  )
