/** Billing records: one for each job that ended, without payload, kept when retention takes the job [jobs 13.3]. */
import { asNumber, asText, asTextOrNull } from './column.ts'
import { type Reader, type Row, type SqlValue, sql } from './database.ts'

export type LedgerEntry = Readonly<{
  jobId: string
  customerId: string | null
  app: string
  action: string
  outcome: string
  durationMs: number
  completedAt: number
}>

const toLedgerEntry = (row: Row): LedgerEntry => ({
  jobId: asText(row.job_id),
  customerId: asTextOrNull(row.customer_id),
  app: asText(row.app),
  action: asText(row.action),
  outcome: asText(row.outcome),
  durationMs: asNumber(row.duration_ms),
  completedAt: asNumber(row.completed_at),
})

export type LedgerPosition = Pick<LedgerEntry, 'completedAt' | 'jobId'>

export type LedgerFilter = Readonly<{
  app: string | null
  customerId: string | null
  /** Milliseconds since 1970, both inclusive. */
  since: number | null
  until: number | null
}>

export type LedgerPage = Readonly<{ before: LedgerPosition | null; limit: number }>

/** Newest first. */
export const listLedger = async (
  db: Reader,
  ws: string,
  { app, customerId, since, until, before, limit }: LedgerFilter & LedgerPage,
): Promise<readonly LedgerEntry[]> => {
  const conditions: readonly (readonly [string, ...SqlValue[]])[] = [
    ['ws = ?', ws],
    ...(app === null ? [] : [['app = ?', app] as const]),
    ...(customerId === null ? [] : [['customer_id = ?', customerId] as const]),
    ...(since === null ? [] : [['completed_at >= ?', since] as const]),
    ...(until === null ? [] : [['completed_at <= ?', until] as const]),
    ...(before === null
      ? []
      : [['(completed_at, job_id) < (?, ?)', before.completedAt, before.jobId] as const]),
  ]
  // the planner would rather go by the primary key and sort
  const index = customerId === null ? 'ledger_by_time' : 'ledger_by_customer'
  const rows = await db.all(
    sql(
      `SELECT job_id, customer_id, app, action, outcome, duration_ms, completed_at
       FROM ledger INDEXED BY ${index} WHERE ${conditions.map(([text]) => text).join(' AND ')}
       ORDER BY completed_at DESC, job_id DESC LIMIT ?`,
      ...conditions.flatMap(([, ...args]) => args),
      limit,
    ),
  )
  return rows.map(toLedgerEntry)
}
