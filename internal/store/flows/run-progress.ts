/** The progress of a flow run: the small read that its event stream repeats. */
import { RUN_STATUSES, type RunStatus, STEP_STATUSES } from '#core/flow/run.ts'
import type { Database } from '../database.ts'
import { number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { sql } from '../sql.ts'

const runPart = row({ status: oneOf(RUN_STATUSES)('run_status'), createdAt: time })

const stepPart = row({
  index: number('step_index'),
  key: text,
  status: oneOf(STEP_STATUSES),
  /** How many jobs of the step were queued so far, and how many of them have not ended. */
  total: number,
  open: number,
})

export type StepProgress = Omit<RowOf<typeof stepPart>, 'open'> &
  Readonly<{
    /** How many jobs have ended. */
    done: number
  }>

export type RunProgress = Readonly<{
  status: RunStatus
  createdAt: number
  steps: readonly StepProgress[]
}>

const toProgress = ({ open, ...step }: RowOf<typeof stepPart>): StepProgress => ({
  ...step,
  done: step.total - open,
})

/** Finds the status of a run and of its steps. It reads only indexes of the jobs. @returns null if the workspace has no such run */
export const findRunProgress = async (
  db: Database,
  ws: string,
  id: string,
): Promise<RunProgress | null> => {
  const rows = await db.all(
    sql`SELECT r.status AS run_status, r.created_at, s.step_index, s.key, s.status,
        (SELECT count(*) FROM jobs j INDEXED BY jobs_by_flow
          WHERE j.flow_run_id = r.id AND j.flow_index = s.step_index) AS total,
        (SELECT count(*) FROM jobs j INDEXED BY jobs_by_flow_open
          WHERE j.flow_run_id = r.id AND j.flow_index = s.step_index AND j.completed_at IS NULL) AS open
      FROM flow_runs r LEFT JOIN flow_steps s ON s.run_id = r.id
      WHERE r.ws = ${ws} AND r.id = ${id} ORDER BY s.step_index`,
  )
  const [first] = rows
  if (first === undefined) return null
  const begun = rows.filter(({ key }) => key !== null)
  return { ...runPart.read(first), steps: begun.map(stepPart.read).map(toProgress) }
}
