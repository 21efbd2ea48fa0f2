/** Runs that their parent runs or the jobs that started them have canceled, until their own transitions process it. */
import type { Database, Statement } from '../database.ts'
import type { DuePage } from '../due-place.ts'
import { type DueList, readDueRows } from '../due-rows.ts'
import { number, type RowOf, row, text } from '../row.ts'
import { raw, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

/** All marked runs are due since `at`, so the id orders those of a workspace. */
const markedRun = row({ ws: text, at: number(raw('0')), id: text })
export type MarkedRun = RowOf<typeof markedRun>

/**
 * Makes the cancel of a job cancel the run that it has started. A trigger of the database marks the run then.
 * @param guard true for the start of the run
 */
export const bindRunToJob = (
  { ws, runId, jobId }: Readonly<Record<'ws' | 'runId' | 'jobId', string>>,
  guard: Statement,
): Statement =>
  sql`UPDATE flow_runs SET canceled_with = ${jobId}
    WHERE ws = ${ws} AND id = ${runId} AND completed_at IS NULL AND ${guard}`

type Retry = Readonly<{
  ws: string
  runId: string
  index: number
  slot: number
  /** The number of the new attempt. */
  attempt: number
  /** The job of the new attempt. */
  jobId: string
}>

/** Binds what the attempt before has started to the next attempt of a flow step, which is a job of its own. @param guard a condition */
export const bindRunsToRetry = (
  { ws, runId, index, slot, attempt, jobId }: Retry,
  guard: Statement,
): Statement =>
  sql`UPDATE flow_runs INDEXED BY flow_runs_open_of_job SET canceled_with = ${jobId}
    WHERE ws = ${ws} AND completed_at IS NULL AND ${guard} AND canceled_with IN (
      SELECT j.id FROM jobs j INDEXED BY jobs_by_flow WHERE j.flow_run_id = ${runId} AND j.flow_index = ${index}
        AND j.flow_slot = ${slot} AND j.ws = ${ws} AND j.flow_attempt = ${attempt - 1})`

const MARKED = {
  from: 'flow_runs INDEXED BY flow_runs_to_cancel',
  within: sql`cancel_reason IS NOT NULL AND completed_at IS NULL AND ${isNotHeld('ws')}`,
  key: ['ws', 'id'],
  at: '0',
} as const satisfies DueList

/** Lists marked runs. If there are none, it is one probe of an empty index. */
export const listMarkedRuns = (db: Database, page: DuePage): Promise<readonly MarkedRun[]> =>
  readDueRows(db, MARKED, page, ({ where, limit }) =>
    markedRun.all(
      db,
      sql`SELECT ${markedRun.columns()} FROM ${raw(MARKED.from)} WHERE ${where} ORDER BY ws, id LIMIT ${limit}`,
    ),
  )
