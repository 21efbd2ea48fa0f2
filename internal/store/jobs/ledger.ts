/** The billing row of a job that has ended. */
import { type Statement, sql } from '../database.ts'
import type { Held } from './lease.ts'

export const LEDGER_COLUMNS =
  'job_id, ws, customer_id, app, action, outcome, duration_ms, completed_at'
export const LEDGER_VALUES = `jobs.id, jobs.ws, jobs.customer_id, jobs.app, jobs.action, jobs.status,
  MAX(jobs.completed_at - COALESCE(jobs.started_at, jobs.completed_at), 0), jobs.completed_at`

/** Must stand right behind the update that ended the job: it writes only when that changed a row. */
export const insertLedgerRow = ({ ws, id }: Pick<Held, 'ws' | 'id'>): Statement =>
  sql(
    `INSERT INTO ledger (${LEDGER_COLUMNS}) SELECT ${LEDGER_VALUES}
     FROM jobs WHERE ws = ? AND id = ? AND completed_at IS NOT NULL AND changes() = 1
     ON CONFLICT (job_id) DO NOTHING`,
    ws,
    id,
  )
