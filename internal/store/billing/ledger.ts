/** Billing records, one for each ended job. They have no payload and remain when retention deletes the job [jobs 13.3]. */
import { TERMINAL_STATUSES } from '#core/job/transitions.ts'
import type { Reader } from '../database.ts'
import { number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { searchRows } from '../search.ts'
import { allOf, raw, sql } from '../sql.ts'

const ledgerEntryRow = row({
  jobId: text,
  customerId: text.nullable,
  app: text,
  action: text,
  outcome: oneOf(TERMINAL_STATUSES),
  durationMs: number,
  completedAt: time,
})
export type LedgerEntry = RowOf<typeof ledgerEntryRow>

export type LedgerPosition = Pick<LedgerEntry, 'completedAt' | 'jobId'>

export type LedgerFilter = Readonly<{
  app: string | null
  customerId: string | null
  /** Milliseconds since 1970. Both bounds are inclusive. */
  since: number | null
  until: number | null
}>

export type LedgerPage = Readonly<{ before: LedgerPosition | null; limit: number }>

/** Lists the billing records of a workspace, newest first. */
export const listLedger = (
  db: Reader,
  ws: string,
  { app, customerId, since, until, before, limit }: LedgerFilter & LedgerPage,
): Promise<readonly LedgerEntry[]> => {
  // without INDEXED BY, the planner uses the primary key and sorts
  const index = customerId === null ? 'ledger_by_time' : 'ledger_by_customer'
  const list = {
    from: raw(`ledger INDEXED BY ${index}`),
    within: allOf(sql`ws = ${ws}`, customerId === null ? null : sql`customer_id = ${customerId}`),
    span: {
      from: since === null ? null : [since, ''],
      before: until === null ? null : [until + 1, ''],
    },
    matching: allOf(app === null ? null : sql`app = ${app}`),
    key: ['completed_at', 'job_id'],
  }
  return searchRows(db, list, {
    columns: ledgerEntryRow.columns(),
    read: (page) => ledgerEntryRow.all(db, page),
    before: before === null ? null : [before.completedAt, before.jobId],
    limit,
  })
}
