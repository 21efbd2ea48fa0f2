/** Measures what the customers of a workspace used per day, from the billing records. */
import {
  type DayUsage,
  MAX_USAGE_DAYS,
  type Usage,
  type UsagePeriod,
  usageByDay,
  usagePeriod,
} from '#core/billing/usage.ts'
import { invalid } from '#core/error.ts'
import {
  type BilledCustomer,
  countUsage,
  findBilledCustomer,
  listBilledCustomers,
} from '#store/billing/usage.ts'
import type { Reader } from '#store/database.ts'
import { countAll } from '#store/jobs/count.ts'
import type { Deps } from '../deps.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Records that one statement counts. Other requests get a turn between two statements. */
const PORTION = 2_000
/** Customers that one statement finds. */
const CUSTOMERS = 200

export type CustomerUsage = Readonly<{
  customer: BilledCustomer
  total: Usage
  days: readonly DayUsage[]
}>

export type UsageQuery = Readonly<{
  ws: string
  /** Milliseconds since 1970; the days that contain them count as a whole. Null: see `usagePeriod`. */
  since: number | null
  until: number | null
  /** Null for all customers. */
  customerId: string | null
  afterId: string | null
  limit: number
}>

/** Finds customers with a record in the period, by id, from `after` on. */
const findActive = async (
  db: Reader,
  {
    ws,
    period,
    after,
    most,
  }: Readonly<{ ws: string; period: UsagePeriod; after: string; most: number }>,
): Promise<readonly BilledCustomer[]> => {
  const found: BilledCustomer[] = []
  for (let behind: string | undefined = after; behind !== undefined && found.length < most; ) {
    const options = { ...period, after: behind, limit: CUSTOMERS }
    const customers: Awaited<ReturnType<typeof listBilledCustomers>> = await listBilledCustomers(
      db,
      ws,
      options,
    )
    found.push(...customers.filter(({ isActive }) => isActive))
    behind = customers.length < CUSTOMERS ? undefined : customers.at(-1)?.id
    await takeTurn()
  }
  return found.slice(0, most)
}

/**
 * Measures usage [jobs 13.5].
 * @returns at most `limit` customers with usage, by id
 * @throws {AppError} invalid: the period has no day, or too many
 */
export const measureUsage = async (
  { reads: db }: Pick<Deps, 'reads'>,
  { ws, since, until, customerId, afterId, limit: most }: UsageQuery,
): Promise<Readonly<{ period: UsagePeriod; customers: readonly CustomerUsage[] }>> => {
  const period = usagePeriod(await db.now(), { since, until })
  if (period === null) {
    throw invalid(`Name a period of 1 to ${MAX_USAGE_DAYS} days.`, { code: 'bad_period' })
  }
  const chosen =
    customerId === null
      ? await findActive(db, { ws, period, after: afterId ?? '', most })
      : [await findBilledCustomer(db, ws, customerId)]
  const customers: CustomerUsage[] = []
  for (const customer of chosen) {
    const who = { ws, customerId: customer.id }
    // no id sorts before an empty text
    const counts = await countAll({ completedAt: period.from, jobId: '' }, (after) =>
      countUsage(db, who, { to: period.to, after, limit: PORTION }),
    )
    customers.push({ customer, ...usageByDay(counts) })
  }
  return { period, customers }
}
