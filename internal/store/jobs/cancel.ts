/** Cancels jobs. A queued job ends at once. A running job is marked, and its worker ends it. */
import type { Statement } from '../database.ts'
import { raw, sql } from '../sql.ts'
import { insertLedgerRow, insertLedgerRows } from './ledger.ts'
import { transition } from './transition.ts'

/** The identity that cancels, and why. */
export type CancelCause = Readonly<{ by: string; reason: string }>

type JobSet = Readonly<{
  where: Statement
  indexedBy?: Statement
}>

const cancelQueued = (
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

/**
 * Cancels the open jobs that other jobs have called, at any depth [durable 3.5], with their billing rows. Returns their ids as
 * `marked_id` and `ended_id`.
 * @param callers selects ids of jobs that were canceled or marked in this batch
 */
const cancelCalled = (
  { ws, ...cause }: CancelCause & Readonly<{ ws: string }>,
  callers: Statement,
): readonly Statement[] => {
  const below = sql`(WITH RECURSIVE below (id) AS (
      SELECT c.id FROM jobs c INDEXED BY jobs_by_caller WHERE c.called_by IN (${callers})
      UNION SELECT c.id FROM below JOIN jobs c INDEXED BY jobs_by_caller ON c.called_by = below.id)
    SELECT id FROM below)`
  const where = sql`jobs.ws = ${ws} AND jobs.id IN ${below}`
  return [
    requestCancel(cause, { where, returning: raw('id AS marked_id') }),
    cancelQueued(cause, { where, returning: raw('id AS ended_id') }),
    insertLedgerRows(sql`jobs WHERE ${where} AND jobs.status = 'canceled'`),
  ]
}

const cancelCalledBy = (cancel: CancelRequest): readonly Statement[] =>
  cancelCalled(
    cancel,
    sql`SELECT jobs.id FROM jobs WHERE ${isJob(cancel)} AND jobs.cancel_by IS NOT NULL`,
  )

/**
 * Ends a queued job, or marks a running one. Does the same to the jobs that it has called. A queued job of a flow is not changed,
 * because its run has to advance when it ends.
 */
export const cancelJob = (cancel: CancelRequest) => ({
  ended: cancelQueued(cancel, { where: sql`${isJob(cancel)} AND jobs.flow_run_id IS NULL` }),
  billed: insertLedgerRow(cancel),
  marked: requestCancel(cancel, { where: isJob(cancel) }),
  called: cancelCalledBy(cancel),
})

/** Ends a queued job, with its billing row, and cancels the jobs that it has called. @param guard an additional condition */
export const cancelQueuedJob = (cancel: CancelRequest, guard: Statement): readonly Statement[] => [
  cancelQueued(cancel, { where: sql`${isJob(cancel)} AND ${guard}` }),
  insertLedgerRow(cancel),
  ...cancelCalledBy(cancel),
]

/**
 * Cancels jobs of flow runs, with billing rows for those that end. Returns their ids as `ended_id` and `marked_id`.
 * @param children a condition on `jobs` that uses the index of flow runs
 */
export const cancelFlowJobs = (
  { ws, ...cause }: CancelCause & Readonly<{ ws: string }>,
  children: Statement,
  guard: Statement,
): readonly Statement[] => {
  const where = sql`jobs.ws = ${ws} AND ${children} AND ${guard}`
  const indexedBy = raw('jobs_by_flow')
  return [
    cancelQueued(cause, { where, indexedBy, returning: raw('id AS ended_id') }),
    insertLedgerRows(sql`jobs INDEXED BY jobs_by_flow WHERE ${where} AND jobs.status = 'canceled'`),
    requestCancel(cause, { where, indexedBy, returning: raw('id AS marked_id') }),
    ...cancelCalled(
      { ws, ...cause },
      sql`SELECT jobs.id FROM jobs INDEXED BY jobs_by_flow WHERE ${where} AND jobs.cancel_by IS NOT NULL`,
    ),
  ]
}
