/**
 * What customers used, from their billing records. Records are counted in portions, and customers are found with one probe
 * each, so that no statement grows with the history.
 */
import type { DayCount, UsagePeriod } from '#core/billing/usage.ts'
import { TERMINAL_STATUSES } from '#core/job/transitions.ts'
import { DAY_MS } from '#core/time-units.ts'
import { asNumber, asText } from '../column.ts'
import type { Reader } from '../database.ts'
import type { EndedPosition, Portion } from '../jobs/count.ts'
import { bool, oneOf, type RowOf, row, text } from '../row.ts'
import { raw, sql } from '../sql.ts'

const customerRow = row({
  id: text,
  /** Null if the customer was deleted. */
  name: text.nullable,
  externalRef: text.nullable,
})
/** A customer that has billing records. */
export type BilledCustomer = RowOf<typeof customerRow>

const foundCustomerRow = row({ ...customerRow.fields, isActive: bool('active') })

/**
 * Lists the next customers that have records, by id. `isActive` is true if one of the records is in the period.
 * @param after the last id of the previous page; empty for the first
 */
export const listBilledCustomers = (
  db: Reader,
  ws: string,
  { from, to, after, limit }: UsagePeriod & Readonly<{ after: string; limit: number }>,
): Promise<readonly RowOf<typeof foundCustomerRow>[]> => {
  const next = (behind: ReturnType<typeof sql>) =>
    sql`(SELECT min(customer_id) FROM ledger INDEXED BY ledger_by_customer WHERE ws = ${ws} AND customer_id > ${behind})`
  return foundCustomerRow.all(
    db,
    sql`WITH RECURSIVE customer (id) AS (
        SELECT ${next(sql`${after}`)}
        UNION ALL SELECT ${next(raw('customer.id'))} FROM customer WHERE customer.id IS NOT NULL LIMIT ${limit})
      SELECT customer.id, c.name, c.external_ref, EXISTS (
          SELECT 1 FROM ledger INDEXED BY ledger_by_customer
          WHERE ws = ${ws} AND customer_id = customer.id AND completed_at >= ${from} AND completed_at < ${to}) AS active
      FROM customer LEFT JOIN consumers c ON c.ws = ${ws} AND c.id = customer.id
      WHERE customer.id IS NOT NULL ORDER BY customer.id`,
  )
}

/** Returns a customer by id, even if it was deleted or never existed. */
export const findBilledCustomer = async (
  db: Reader,
  ws: string,
  id: string,
): Promise<BilledCustomer> =>
  (await customerRow.one(
    db,
    sql`SELECT ${customerRow.columns('c')} FROM consumers c WHERE c.ws = ${ws} AND c.id = ${id}`,
  )) ?? { id, name: null, externalRef: null }

const outcome = oneOf(TERMINAL_STATUSES)

/** Counts the next `limit` records of a customer up to `to`, by day and outcome. */
export const countUsage = async (
  db: Reader,
  { ws, customerId }: Readonly<{ ws: string; customerId: string }>,
  { to, after, limit }: Readonly<{ to: number; after: EndedPosition; limit: number }>,
): Promise<Portion<DayCount, EndedPosition>> => {
  const rows = await db.all(
    sql`WITH portion AS (
        SELECT completed_at, job_id, outcome, duration_ms FROM ledger INDEXED BY ledger_by_customer
        WHERE ws = ${ws} AND customer_id = ${customerId} AND (completed_at, job_id) > (${after.completedAt}, ${after.jobId})
          AND completed_at < ${to}
        ORDER BY completed_at, job_id LIMIT ${limit})
      SELECT completed_at / ${DAY_MS} AS day, outcome, count(*) AS n, sum(duration_ms) AS duration_ms,
        max(format('%020d', completed_at) || job_id) AS last
      FROM portion GROUP BY day, outcome`,
  )
  const counts = rows.map((found) => ({
    day: asNumber(found.day),
    outcome: outcome.read(found.outcome),
    count: asNumber(found.n),
    durationMs: asNumber(found.duration_ms),
  }))
  const last = rows
    .map((found) => asText(found.last))
    .toSorted()
    .at(-1)
  const seen = counts.reduce((sum, { count }) => sum + count, 0)
  return {
    counts,
    next:
      last === undefined || seen < limit
        ? null
        : { completedAt: Number(last.slice(0, 20)), jobId: last.slice(20) },
  }
}
