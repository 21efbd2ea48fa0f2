/** Cancels jobs: a queued one ends at once, a running one is marked and ended by its worker. */
import type { Statement } from '../database.ts'
import { raw, sql } from '../sql.ts'
import { insertLedgerRow, insertLedgerRows } from './ledger.ts'
import { transition } from './transition.ts'

/** Who cancels, as an identity, and why. */
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

/** Ends a queued job, with its billing row. @param guard a further condition */
export const cancelQueuedJob = (cancel: CancelRequest, guard: Statement): readonly Statement[] => [
  cancelQueued(cancel, { where: sql`${isJob(cancel)} AND ${guard}` }),
  insertLedgerRow(cancel),
]

/**
 * Cancels the jobs that others have called and that have not ended, at every depth [durable 3.5], with their billing rows.
 * The ids come back, as `marked_id` and `ended_id`.
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

/** Ends a queued job, marks a running one, and does the same to the jobs that it has called. */
export const cancelJob = (cancel: CancelRequest) => ({
  ended: cancelQueued(cancel, { where: isJob(cancel) }),
  billed: insertLedgerRow(cancel),
  marked: requestCancel(cancel, { where: isJob(cancel) }),
  called: cancelCalled(
    cancel,
    sql`SELECT jobs.id FROM jobs WHERE ${isJob(cancel)} AND jobs.cancel_by IS NOT NULL`,
  ),
})

/**
 * Cancels jobs of flow runs, with the billing rows of those that end. The ids come back, as `ended_id` and `marked_id`.
 * @param children a condition on `jobs` that the index of flow runs serves
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
