/** How far a flow run is: the narrow read behind its events. */
import type { RunStatus } from '#core/flow/run.ts'
import { asNumber, asText } from './column.ts'
import { type Database, sql } from './database.ts'
import { toRunStatus } from './flow-runs.ts'

export type RunProgress = Readonly<{
  status: RunStatus
  steps: readonly Readonly<{
    index: number
    key: string
    status: string
    /** Of its jobs: those that have ended, and all that were queued so far. */
    done: number
    total: number
  }>[]
}>

/** @returns null: the workspace has no such run */
export const findRunProgress = async (
  db: Database,
  ws: string,
  id: string,
): Promise<RunProgress | null> => {
  const rows = await db.all(
    sql(
      `SELECT r.status AS run_status, s.step_index, s.key, s.status,
         (SELECT count(*) FROM jobs j INDEXED BY jobs_by_flow
           WHERE j.flow_run_id = r.id AND j.flow_index = s.step_index AND j.completed_at IS NOT NULL) AS done,
         (SELECT count(*) FROM jobs j INDEXED BY jobs_by_flow
           WHERE j.flow_run_id = r.id AND j.flow_index = s.step_index) AS total
       FROM flow_runs r LEFT JOIN flow_steps s ON s.run_id = r.id
       WHERE r.ws = ? AND r.id = ? ORDER BY s.step_index`,
      ws,
      id,
    ),
  )
  const [first] = rows
  if (first === undefined) return null
  return {
    status: toRunStatus(asText(first.run_status)),
    steps: rows
      .filter(({ key }) => key !== null)
      .map((row) => ({
        index: asNumber(row.step_index),
        key: asText(row.key),
        status: asText(row.status),
        done: asNumber(row.done),
        total: asNumber(row.total),
      })),
  }
}
