/** Waits of flow runs for events. The write of an event makes the run due at once, so that any process can continue it. */
import type { Database, Statement } from '../database.ts'
import { number, oneOf, type RowOf, row, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

export type NewFlowWait = Readonly<{
  id: string
  ws: string
  runId: string
  index: number
  step: string
  name: string
  key: string | null
}>

/** Opens the wait of a step. Runs after the row of its run in the batch, from which it takes start and deadline. */
export const insertFlowWait = (wait: NewFlowWait, guard: Statement): Statement =>
  sql`INSERT INTO event_waits (id, ws, name, key, owner_kind, owner_id, step, position, began_at, timeout_at, created_at)
    SELECT ${wait.id}, r.ws, ${wait.name}, ${wait.key}, 'flow', r.id, ${wait.step}, ${wait.index}, r.created_at,
      r.wait_until, ${SQL_NOW}
    FROM flow_runs r WHERE r.ws = ${wait.ws} AND r.id = ${wait.runId} AND ${guard} ON CONFLICT DO NOTHING`

/**
 * Makes the run due at once if it is at the step whose wait has received an event. Returns the run's id as `due_run_id`. A later
 * event, or a repeated write, finds the run at another step, whose time it must not change.
 */
export const wakeRun = ({ id, ws, runId }: Pick<NewFlowWait, 'id' | 'ws' | 'runId'>): Statement =>
  sql`UPDATE flow_runs SET wait_until = ${SQL_NOW} WHERE ws = ${ws} AND id = ${runId} AND completed_at IS NULL
    AND EXISTS (SELECT 1 FROM event_waits w WHERE w.id = ${id} AND w.status = 'received'
      AND w.position = flow_runs.step_index)
    RETURNING id AS due_run_id`

const waitRow = row({
  id: text,
  status: oneOf(['open', 'received', 'timed_out', 'canceled']),
  eventId: text.nullable,
  position: number,
})
export type FlowWait = RowOf<typeof waitRow>

/** Finds the wait that a step of a run opened last. @returns null for a step that does not wait for an event */
export const findFlowWait = (
  db: Database,
  runId: string,
  index: number,
): Promise<FlowWait | null> =>
  waitRow.one(
    db,
    sql`SELECT ${waitRow.columns()} FROM event_waits INDEXED BY event_waits_by_owner
      WHERE owner_id = ${runId} AND position = ${index} ORDER BY created_at DESC LIMIT 1`,
  )

/** A guard: the wait is as it was read. */
export const isWaitStill = ({ id, status }: Pick<FlowWait, 'id' | 'status'>): Statement =>
  sql`EXISTS (SELECT 1 FROM event_waits w WHERE w.id = ${id} AND w.status = ${status})`

/** Ends a wait whose time is over. */
export const timeOutFlowWait = (id: string, guard: Statement): Statement =>
  sql`UPDATE event_waits SET status = 'timed_out', ended_at = ${SQL_NOW}
    WHERE id = ${id} AND status = 'open' AND ${guard}`

/** Ends the wait of a step that ends for another reason, such as a cancel. */
export const leaveFlowWait = (
  { runId, index }: Pick<NewFlowWait, 'runId' | 'index'>,
  guard: Statement,
): Statement =>
  sql`UPDATE event_waits SET status = 'canceled', ended_at = ${SQL_NOW}
    WHERE owner_id = ${runId} AND position = ${index} AND status = 'open' AND ${guard}`
