/** Answers to approval steps: one row for each person and step. What was filled in is encrypted. */
import { asNumber, asText, asTextOrNull } from './column.ts'
import { type Reader, SQL_NOW, type Statement, sql } from './database.ts'

const APPROVAL_PATHS = ['session', 'api_token', 'link'] as const
export type ApprovalPath = (typeof APPROVAL_PATHS)[number]

export type Approval = Readonly<{
  index: number
  approver: string
  decision: 'approve' | 'reject'
  form: string | null
  reason: string | null
  via: string
  at: number
}>

/** Of a run, in the order in which they came. */
export const listApprovals = async (db: Reader, runId: string): Promise<readonly Approval[]> => {
  const rows = await db.all(
    sql('SELECT * FROM approvals WHERE run_id = ? ORDER BY at, approver', runId),
  )
  return rows.map((row) => ({
    index: asNumber(row.step_index),
    approver: asText(row.approver),
    decision: row.decision === 'reject' ? 'reject' : 'approve',
    form: asTextOrNull(row.form),
    reason: asTextOrNull(row.reason),
    via: asText(row.via),
    at: asNumber(row.at),
  }))
}

export type NewApproval = Omit<Approval, 'at' | 'via'> &
  Readonly<{ runId: string; via: ApprovalPath }>

export const insertApproval = (approval: NewApproval, guard: Statement): Statement =>
  sql(
    `INSERT INTO approvals (run_id, step_index, approver, decision, form, reason, via, at)
     SELECT ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW} WHERE ${guard.sql} ON CONFLICT DO NOTHING`,
    approval.runId,
    approval.index,
    approval.approver,
    approval.decision,
    approval.form,
    approval.reason,
    approval.via,
    ...guard.args,
  )
