/** The steps of a job as people see them. */
import { CUT_SHORT, STEP_KINDS, STEP_STATUSES } from '#core/durable/step.ts'
import type { Reader, Statement } from '../database.ts'
import { number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { CHILD_JOB, CHILD_RUN } from './called-runs.ts'
import { type StepPosition, withSizes } from './steps.ts'

/**
 * A condition: a sleep or timeout is over that ended without a suspension. It is recorded only when the journal is read again. Until
 * the job has ended, only the next attempt decides whether an event came in time.
 */
const IS_OVER = sql`status = 'running'
  AND due_at <= CASE kind WHEN 'sleep' THEN COALESCE(ended_at, ${SQL_NOW}) WHEN 'event' THEN ended_at END`

/**
 * A condition: the job ended before the step did. The row of the step does not change then, because no attempt reads it again. A
 * called job or flow run goes on after its caller, unless that was canceled: then it is canceled too, but its worker may take a
 * while to end it.
 */
const IS_CUT_SHORT = sql`ended_at IS NOT NULL AND CASE kind WHEN 'job'
    THEN ended_as = 'canceled' AND COALESCE(completed_at > ended_at, TRUE) ELSE status = 'running' END`

const stepCase = (over: Statement, cutShort: Statement, otherwise: Statement): Statement =>
  sql`CASE WHEN ${IS_OVER} THEN ${over} WHEN ${IS_CUT_SHORT} THEN ${cutShort} ELSE ${otherwise} END`

/** A step that waited for its next try keeps the error of the last one. */
const CUT_SHORT_ERROR = sql`COALESCE(CASE kind WHEN 'step' THEN error END,
  json_object('name', 'Canceled', 'message', COALESCE(cancel_reason, ${CUT_SHORT.message})))`

const listedRow = row({
  name: text,
  kind: oneOf(STEP_KINDS),
  position: number,
  status: oneOf(STEP_STATUSES)(stepCase(sql`'success'`, sql`'failure'`, sql`status`)),
  attempts: number,
  startedAt: time,
  completedAt: time.nullable(stepCase(sql`due_at`, sql`ended_at`, sql`completed_at`)),
  until: time.nullable('due_at'),
  childJobId: text.nullable(CHILD_JOB),
  childFlowRunId: text.nullable(CHILD_RUN),
  error: text.nullable(stepCase(sql`error`, CUT_SHORT_ERROR, sql`error`)),
  result: text.nullable,
})
export type ListedStep = RowOf<typeof listedRow>

/** Lists up to `limit` steps in order after `after`, until they have `maxBytes` together, but at least one. */
export const listSteps = (
  db: Reader,
  { ws, id }: Readonly<{ ws: string; id: string }>,
  { after, limit, maxBytes }: Readonly<{ after: StepPosition; limit: number; maxBytes: number }>,
): Promise<readonly ListedStep[]> =>
  listedRow.all(
    db,
    sql`SELECT ${listedRow.columns()} FROM (${withSizes(id, after, limit)}) LEFT JOIN (
        SELECT completed_at AS ended_at, status AS ended_as, cancel_reason FROM jobs
        WHERE ws = ${ws} AND id = ${id} AND completed_at IS NOT NULL) ON TRUE
      WHERE total <= ${maxBytes} OR total = bytes ORDER BY position, name`,
  )
