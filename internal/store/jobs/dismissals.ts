/** Dismissed jobs: failures that need no further attention [jobs 17.8]. The jobs themselves never change. */
import type { Statement } from '../database.ts'
import { allOf, listed, SQL_NOW, sql } from '../sql.ts'

/** Which of the failed jobs, or flow runs, are dismissed or restored. */
export type Dismissal = Readonly<{
  ws: string
  ids: readonly string[]
  /** Only those that this identity created; null for all. */
  createdBy: string | null
}>

const jobsOf = ({ ws, ids, createdBy }: Dismissal): Statement =>
  sql`SELECT j.id FROM jobs j WHERE ${allOf(
    sql`j.ws = ${ws}`,
    sql`j.id IN ${listed(ids)}`,
    sql`j.status = 'failure'`,
    createdBy === null ? null : sql`j.created_by = ${createdBy}`,
  )}`

/** Dismisses failed jobs. Changes one row for each job that was not dismissed before. */
export const insertDismissals = (dismissal: Dismissal, by: string): Statement =>
  sql`INSERT INTO job_dismissals (ws, job_id, dismissed_by, dismissed_at)
    SELECT ${dismissal.ws}, id, ${by}, ${SQL_NOW} FROM (${jobsOf(dismissal)}) WHERE TRUE
    ON CONFLICT DO NOTHING`

/** Ends dismissals. Changes one row for each job that was dismissed. */
export const deleteDismissals = (dismissal: Dismissal): Statement =>
  sql`DELETE FROM job_dismissals WHERE ws = ${dismissal.ws} AND job_id IN (${jobsOf(dismissal)})`
