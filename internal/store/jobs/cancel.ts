/** Cancels jobs. */
import { SQL_NOW, type Statement, sql } from '../database.ts'
import { insertLedgerRow } from './ledger.ts'

export type CancelRequest = Readonly<{ ws: string; id: string; by: string; reason: string }>

/** Three statements: end it when it is queued (with its billing row), else mark it when it runs. */
export const cancelJob = ({ ws, id, by, reason }: CancelRequest): readonly Statement[] => [
  sql(
    `UPDATE jobs SET status = 'canceled', cancel_by = ?, cancel_reason = ?, completed_at = ${SQL_NOW},
       result = json_object('name', 'Canceled', 'message', ?)
     WHERE ws = ? AND id = ? AND status = 'queued'`,
    by,
    reason,
    reason,
    ws,
    id,
  ),
  insertLedgerRow({ ws, id }),
  sql(
    `UPDATE jobs SET cancel_by = ?, cancel_reason = ?
     WHERE ws = ? AND id = ? AND status = 'running' AND cancel_by IS NULL`,
    by,
    reason,
    ws,
    id,
  ),
]

export const cancelQueuedFlowJob = (
  { ws, id, by, reason }: Readonly<{ ws: string; id: string; by: string; reason: string }>,
  guard: Statement,
): readonly Statement[] => [
  sql(
    `UPDATE jobs SET status = 'canceled', cancel_by = ?, cancel_reason = ?, completed_at = ${SQL_NOW},
       result = json_object('name', 'Canceled', 'message', ?)
     WHERE ws = ? AND id = ? AND status = 'queued' AND ${guard.sql}`,
    by,
    reason,
    reason,
    ws,
    id,
    ...guard.args,
  ),
  insertLedgerRow({ ws, id }),
]
