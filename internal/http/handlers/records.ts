import { type CustomerUsage, measureUsage } from '#service/billing/measure-usage.ts'
import type { Deps } from '#service/deps.ts'
import { listAuditEntries } from '#store/audit-log.ts'
import { type LedgerEntry, type LedgerPosition, listLedger } from '#store/billing/ledger.ts'
import { ok } from '../answer.ts'
import type { InputOf } from '../endpoint.ts'
import { recordEndpoints } from '../endpoints/records.ts'
import { handlers } from '../handlers.ts'
import { decodeCursor, pageBefore, paginate, unknownCursor } from '../schemas/page.ts'

/** A job has one record, so the record's id is the job's id. */
const toLedgerEntry = (row: LedgerEntry) => ({ ...row, id: row.jobId })

const toLedgerKey = ({ completedAt, jobId }: LedgerPosition): string => `${completedAt} ${jobId}`

/** @throws {AppError} invalid */
const toLedgerPosition = (cursor: string | undefined): LedgerPosition | null => {
  const key = decodeCursor(cursor)
  if (key === null) return null
  const [, completedAt, jobId] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(key) ?? []
  if (completedAt === undefined || jobId === undefined) {
    throw unknownCursor()
  }
  return { completedAt: Number(completedAt), jobId }
}

const toUsage = ({ customer, total, days }: CustomerUsage) => ({
  ...total,
  customerId: customer.id,
  name: customer.name,
  externalRef: customer.externalRef,
  days,
})

const answerAudit = async (
  { reads }: Pick<Deps, 'reads'>,
  ws: string | null,
  query: InputOf<typeof recordEndpoints.listAuditEntries>['query'],
) => {
  const rows = await listAuditEntries(reads, ws, {
    identity: query.actor ?? null,
    action: query.action ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
    ...pageBefore(query),
  })
  return ok(paginate(rows, query.limit, ({ id }) => id))
}

export const recordRoutes = handlers(recordEndpoints, (deps: Pick<Deps, 'reads'>) => ({
  listLedgerEntries: async ({ ws, query }) => {
    const { limit } = query
    const rows = await listLedger(deps.reads, ws, {
      app: query.app ?? null,
      customerId: query.customer_id ?? null,
      since: query.since ?? null,
      until: query.until ?? null,
      before: toLedgerPosition(query.cursor),
      limit: limit + 1,
    })
    return ok(paginate(rows.map(toLedgerEntry), limit, toLedgerKey))
  },
  listUsage: async ({ ws, query }) => {
    const { limit } = query
    const { period, customers } = await measureUsage(deps, {
      ws,
      since: query.since ?? null,
      until: query.until ?? null,
      customerId: query.customer_id ?? null,
      afterId: decodeCursor(query.cursor),
      limit: limit + 1,
    })
    const page = paginate(customers.map(toUsage), limit, ({ customerId }) => customerId)
    return ok({ ...page, since: period.from, until: period.to })
  },
  listAuditEntries: ({ ws, query }) => answerAudit(deps, ws, query),
  adminListAuditEntries: ({ query }) => answerAudit(deps, null, query),
}))
