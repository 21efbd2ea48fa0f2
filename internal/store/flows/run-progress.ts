/** The progress of a flow run: small reads, which event streams repeat. */
import { RUN_STATUSES, type RunStatus } from '#core/flow/run.ts'
import type { Database } from '../database.ts'
import { number, oneOf, type RowOf, row, time } from '../row.ts'
import { sql } from '../sql.ts'

const runStatus = oneOf(RUN_STATUSES)

/** Finds the status of a run, without its values. @returns null if the workspace has no such run */
export const findRunStatus = (db: Database, ws: string, id: string): Promise<RunStatus | null> =>
  runStatus.one(db, sql`SELECT status FROM flow_runs WHERE ws = ${ws} AND id = ${id}`)

const runState = row({ status: runStatus, createdAt: time })

/** Finds what a link shows of a run. @returns null if the workspace has no such run */
export const findRunState = (
  db: Database,
  ws: string,
  id: string,
): Promise<RowOf<typeof runState> | null> =>
  runState.one(db, sql`SELECT ${runState.columns()} FROM flow_runs WHERE ws = ${ws} AND id = ${id}`)

const stepJobs = row({ total: number, done: number })

/** How many jobs of a step were queued so far, and how many of them have ended. */
export type StepJobs = RowOf<typeof stepJobs>

/** Counts the jobs of a step. It reads only indexes: 10,000 jobs in about 2 ms. */
export const countStepJobs = async (
  db: Database,
  { runId, index }: Readonly<{ runId: string; index: number }>,
): Promise<StepJobs> => {
  const counted = await stepJobs.one(
    db,
    sql`SELECT total, total - open AS done FROM (SELECT
      (SELECT count(*) FROM jobs INDEXED BY jobs_by_flow
        WHERE flow_run_id = ${runId} AND flow_index = ${index}) AS total,
      (SELECT count(*) FROM jobs INDEXED BY jobs_by_flow_open
        WHERE flow_run_id = ${runId} AND flow_index = ${index} AND completed_at IS NULL) AS open)`,
  )
  return counted ?? { total: 0, done: 0 }
}
