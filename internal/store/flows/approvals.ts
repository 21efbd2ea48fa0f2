/** Answers to approval steps: one row for each approver and step. The form is encrypted. */
import type { Reader, Statement } from '../database.ts'
import { number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

const APPROVAL_PATHS = ['session', 'api_token', 'link'] as const
export type ApprovalPath = (typeof APPROVAL_PATHS)[number]

const approvalRow = row({
  index: number('step_index'),
  approver: text,
  decision: oneOf(['approve', 'reject']),
  form: text.nullable,
  reason: text.nullable,
  via: text,
  at: time,
})
export type Approval = RowOf<typeof approvalRow>

/** Lists the answers to the approval steps of a run, in the order in which they were given. */
export const listApprovals = (db: Reader, runId: string): Promise<readonly Approval[]> =>
  approvalRow.all(
    db,
    sql`SELECT ${approvalRow.columns()} FROM approvals WHERE run_id = ${runId} ORDER BY at, approver`,
  )

export type NewApproval = Omit<Approval, 'at' | 'via'> &
  Readonly<{ runId: string; via: ApprovalPath }>

/** A condition: this answer was inserted. */
export const isAnswered = ({
  runId,
  index,
  approver,
  form,
}: Pick<NewApproval, 'runId' | 'index' | 'approver' | 'form'>): Statement =>
  sql`EXISTS (SELECT 1 FROM approvals WHERE run_id = ${runId} AND step_index = ${index} AND approver = ${approver}
    AND form = ${form})`

/** Inserts an answer unless the approver has answered this step or `guard` is false. */
export const insertApproval = (approval: NewApproval, guard: Statement): Statement =>
  sql`INSERT INTO approvals (run_id, step_index, approver, decision, form, reason, via, at)
    SELECT ${approval.runId}, ${approval.index}, ${approval.approver}, ${approval.decision},
      ${approval.form}, ${approval.reason}, ${approval.via}, ${SQL_NOW} WHERE ${guard} ON CONFLICT DO NOTHING`
