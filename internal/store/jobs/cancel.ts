/** Cancels jobs. A queued job ends at once. A running job is marked, and its worker ends it. */
import type { Database, Statement } from '../database.ts'
import { type RowOf, row, text } from '../row.ts'
import { raw, SQL_NOW, sql, weighing } from '../sql.ts'
import { insertLedgerRow, insertLedgerRows } from './ledger.ts'
import { transition } from './transition.ts'

/** The identity that cancels, and why. */
export type CancelCause = Readonly<{ by: string; reason: string }>

type JobSet = Readonly<{
  where: Statement
  indexedBy?: Statement
}>

/** Ends the queued jobs of a set. */
export const cancelQueued = (
  { by, reason }: CancelCause,
  update: JobSet & Readonly<{ returning?: Statement }>,
): Statement =>
  transition('cancel', {
    set: {
      cancel_by: sql`${by}`,
      cancel_reason: sql`${reason}`,
      result: sql`json_object('name', 'Canceled', 'message', ${reason})`,
    },
    ...update,
  })

const requestCancel = (
  { by, reason }: CancelCause,
  { where, ...update }: JobSet & Readonly<{ returning?: Statement }>,
): Statement =>
  transition('request_cancel', {
    set: { cancel_by: sql`${by}`, cancel_reason: sql`${reason}` },
    where: sql`${where} AND jobs.cancel_by IS NULL`,
    ...update,
  })

export type CancelRequest = CancelCause & Readonly<{ ws: string; id: string }>

const isJob = ({ ws, id }: CancelRequest): Statement => sql`jobs.ws = ${ws} AND jobs.id = ${id}`

/** Selects the ids of the jobs that these jobs have called, at any depth. */
const calledBelow = (callers: Statement): Statement =>
  sql`(WITH RECURSIVE below (id) AS (
      SELECT c.id FROM jobs c INDEXED BY jobs_by_caller WHERE c.called_by IN (${callers})
      UNION SELECT c.id FROM below JOIN jobs c INDEXED BY jobs_by_caller ON c.called_by = below.id)
    SELECT id FROM below)`

const calledRow = row({ id: text, calledBy: text })
export type CalledJob = RowOf<typeof calledRow>

export type CalledPage = Readonly<{
  ws: string
  callers: readonly string[]
  /** The last job of the page before, of the first caller; null for the first page. */
  after: string | null
  limit: number
}>

/**
 * Lists jobs that these jobs have called, in the order of the callers and ids. SQLite visits them in this order; ORDER BY would
 * make it read and sort all for each page.
 */
export const listCalled = (
  db: Database,
  { ws, callers, after, limit }: CalledPage,
): Promise<readonly CalledJob[]> =>
  calledRow.all(
    db,
    sql`SELECT ${calledRow.columns('c')}
      FROM json_each(${JSON.stringify(callers)}) e CROSS JOIN jobs c INDEXED BY jobs_by_caller
      WHERE c.called_by = e.value AND c.ws = ${ws} AND c.id > CASE e.key WHEN 0 THEN ${after ?? ''} ELSE '' END LIMIT ${limit}`,
  )

/** Jobs that one statement cancels, so that the event loop runs in between. With fewer, one statement cancels all. */
const CANCELED_AT_ONCE = 250

const portionsOf = (ids: readonly string[]): readonly (readonly string[])[] =>
  ids.length <= CANCELED_AT_ONCE
    ? []
    : Array.from({ length: Math.ceil(ids.length / CANCELED_AT_ONCE) }, (_, at) =>
        ids.slice(at * CANCELED_AT_ONCE, (at + 1) * CANCELED_AT_ONCE),
      )

const listed = (ids: readonly string[]): Statement =>
  sql`SELECT value FROM json_each(${JSON.stringify(ids)})`

/**
 * Cancels the open jobs that other jobs have called, at any depth [durable 3.5], with their billing rows. Returns their ids as
 * `marked_id` and `ended_id`.
 * @param callers selects ids of jobs that this batch cancels or marks
 * @param known those that are known, which are canceled in portions; the others together
 */
const cancelCalled = (
  { ws, ...cause }: CancelCause & Readonly<{ ws: string }>,
  callers: Statement,
  known: readonly string[],
): readonly Statement[] => {
  const cancelAll = (ids: Statement, weight: number): readonly Statement[] => {
    const where = sql`jobs.ws = ${ws} AND jobs.id IN (${ids})`
    return [
      requestCancel(cause, { where, returning: raw('id AS marked_id') }),
      cancelQueued(cause, { where, returning: raw('id AS ended_id') }),
      insertLedgerRows(sql`jobs WHERE ${where} AND jobs.status = 'canceled'`),
    ].map((statement) => weighing(weight, statement))
  }
  const portions = portionsOf(known)
  const below = sql`SELECT id FROM ${calledBelow(callers)}`
  if (portions.length === 0) return cancelAll(below, 1)
  return [
    ...portions.flatMap((ids) =>
      cancelAll(sql`${listed(ids)} WHERE EXISTS (${callers})`, CANCELED_AT_ONCE / 2),
    ),
    ...cancelAll(sql`${below} EXCEPT ${listed(known)}`, known.length / 40),
  ]
}

const cancelCalledBy = (cancel: CancelRequest, known: readonly string[]): readonly Statement[] =>
  cancelCalled(
    cancel,
    sql`SELECT jobs.id FROM jobs WHERE ${isJob(cancel)} AND jobs.cancel_by IS NOT NULL`,
    known,
  )

/**
 * Ends a queued job, or marks a running one. Does the same to the jobs that it has called. A queued job of a flow is not changed,
 * because its run has to advance when it ends.
 * @param known the jobs that it has called, as far as they are known
 */
export const cancelJob = (cancel: CancelRequest, known: readonly string[]) => ({
  ended: cancelQueued(cancel, { where: sql`${isJob(cancel)} AND jobs.flow_run_id IS NULL` }),
  billed: insertLedgerRow(cancel),
  marked: requestCancel(cancel, { where: isJob(cancel) }),
  called: cancelCalledBy(cancel, known),
})

/**
 * Ends a queued job, with its billing row, and cancels the jobs that it has called.
 * @param known the jobs that it has called, as far as they are known
 * @param guard an additional condition
 */
export const cancelQueuedJob = (
  cancel: CancelRequest,
  known: readonly string[],
  guard: Statement,
): readonly Statement[] => [
  cancelQueued(cancel, { where: sql`${isJob(cancel)} AND ${guard}` }),
  insertLedgerRow(cancel),
  ...cancelCalledBy(cancel, known),
]

/** The billing rows of queued jobs that are canceled next in the same batch. */
const insertLedgerOfQueued = (where: Statement): Statement =>
  insertLedgerRows(sql`(SELECT jobs.id, jobs.ws, jobs.customer_id, jobs.app, jobs.action, jobs.ran_ms, jobs.started_at,
      jobs.suspended_kind, 'canceled' AS status, ${SQL_NOW} AS completed_at
    FROM jobs INDEXED BY jobs_by_flow_open WHERE ${where} AND jobs.status = 'queued') AS jobs WHERE TRUE`)

/**
 * Cancels open jobs of flow runs and the jobs that they have called, with billing rows for those that end. Returns their ids as
 * `ended_id` and `marked_id`. It reads only open jobs, because a step may have thousands that have ended.
 * @param children a condition on `jobs` that uses the index of flow runs
 * @param known the jobs that they have called, as far as they are known
 */
export const cancelFlowJobs = (
  { ws, ...cause }: CancelCause & Readonly<{ ws: string }>,
  children: Statement,
  guard: Statement,
  known: readonly string[],
): readonly Statement[] => {
  const where = sql`jobs.ws = ${ws} AND ${children} AND jobs.completed_at IS NULL AND ${guard}`
  const indexedBy = raw('jobs_by_flow_open')
  return [
    // while their callers are open
    ...cancelCalled(
      { ws, ...cause },
      sql`SELECT jobs.id FROM jobs INDEXED BY jobs_by_flow_open WHERE ${where}`,
      known,
    ),
    insertLedgerOfQueued(where),
    cancelQueued(cause, { where, indexedBy, returning: raw('id AS ended_id') }),
    requestCancel(cause, { where, indexedBy, returning: raw('id AS marked_id') }),
  ]
}
