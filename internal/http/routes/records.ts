/**
 * GET /api/w/{ws}/ledger
 * GET /api/w/{ws}/audit
 * GET /api/admin/audit
 */
import { invalid } from '#core/error.ts'
import type { Deps } from '#service/deps.ts'
import { type AuditEntry, listAuditEntries } from '#store/audit-log.ts'
import { type LedgerEntry, type LedgerPosition, listLedger } from '#store/ledger.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { timeQuery, toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const ledgerEntry = z
  .object({
    id: z.uuid(),
    customer_id: z.uuid().nullable(),
    app: z.string(),
    action: z.string(),
    job_id: z.uuid(),
    outcome: z.enum(['success', 'failure', 'canceled']),
    duration_ms: z.int(),
    completed_at: z.string(),
  })
  .openapi('LedgerEntry')

/** A job has one record, so the job's id is the record's too. */
const toWireLedgerEntry = (row: LedgerEntry) => ({
  id: row.jobId,
  customer_id: row.customerId,
  app: row.app,
  action: row.action,
  job_id: row.jobId,
  outcome: row.outcome,
  duration_ms: row.durationMs,
  completed_at: toTimestamp(row.completedAt),
})

const toLedgerKey = ({ completedAt, jobId }: LedgerPosition): string => `${completedAt} ${jobId}`

/** @throws {AppError} invalid */
const toLedgerPosition = (cursor: string | undefined): LedgerPosition | null => {
  const key = decodeCursor(cursor)
  if (key === null) return null
  const [, completedAt, jobId] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(key) ?? []
  if (completedAt === undefined || jobId === undefined) {
    throw invalid('The cursor is not one that this list gave. Start from the first page.', {
      code: 'invalid_cursor',
    })
  }
  return { completedAt: Number(completedAt), jobId }
}

const ledgerQuery = pageQuery.extend({
  app: z.string().max(200).optional(),
  customer_id: z.string().max(200).optional(),
  since: timeQuery.optional().describe('ended at or after'),
  until: timeQuery.optional().describe('ended at or before'),
})

const auditEntry = z
  .object({
    id: z.uuid(),
    identity: z.string().describe('who: an e-mail address, customer:<id>, or cli'),
    credential_kind: z.string(),
    credential_prefix: z.string().nullable().describe('by which the credential is found'),
    address: z.string().nullable().describe("the caller's network address"),
    action: z.string().describe('what: noun.participle, as token.revoked'),
    target: z.string().describe('to what: an id, a key, an e-mail address'),
    at: z.string(),
  })
  .openapi('AuditEntry')

const toWireAuditEntry = (row: AuditEntry) => ({
  id: row.id,
  identity: row.identity,
  credential_kind: row.credentialKind,
  credential_prefix: row.credentialPrefix,
  address: row.address,
  action: row.action,
  target: row.target,
  at: toTimestamp(row.at),
})

const auditQuery = pageQuery.extend({
  actor: z.string().max(300).optional().describe('an identity, as the entries show it'),
  action: z.string().max(100).optional(),
  since: timeQuery.optional(),
  until: timeQuery.optional(),
})

export const recordRoutes = (deps: Pick<Deps, 'reads'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/ledger',
    operationId: 'listLedgerEntries',
    scope: '*',
    tag: 'Records',
    summary: 'Billing records of ended jobs, newest first; kept when retention takes the job',
    query: ledgerQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(ledgerEntry) },
      400: problem('Bad filter or cursor'),
    },
    handler: async ({ ws, query }) => {
      const { limit } = query
      const rows = await listLedger(deps.reads, ws, {
        app: query.app ?? null,
        customerId: query.customer_id ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        before: toLedgerPosition(query.cursor),
        limit: limit + 1,
      })
      return reply(200, toPage(rows, limit, { toItem: toWireLedgerEntry, keyOf: toLedgerKey }))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/audit',
    operationId: 'listAuditEntries',
    scope: '*',
    tag: 'Records',
    summary: 'Who did what, newest first; kept for SVC_AUDIT_RETENTION_DAYS',
    query: auditQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(auditEntry) },
      400: problem('Bad filter or cursor'),
    },
    handler: ({ ws, query }) => answerAudit(deps, ws, query),
  }),
  route({
    method: 'get',
    path: '/api/admin/audit',
    operationId: 'adminListAuditEntries',
    scope: 'instance',
    tag: 'Records',
    summary:
      'Acts on the instance, of no workspace: sign-ins, accounts, the instance key; newest first',
    query: auditQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(auditEntry) },
      400: problem('Bad filter or cursor'),
    },
    handler: ({ query }) => answerAudit(deps, null, query),
  }),
]

const answerAudit = async (
  { reads }: Pick<Deps, 'reads'>,
  ws: string | null,
  query: z.output<typeof auditQuery>,
) => {
  const { limit } = query
  const rows = await listAuditEntries(reads, ws, {
    identity: query.actor ?? null,
    action: query.action ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
    beforeId: decodeCursor(query.cursor),
    limit: limit + 1,
  })
  return reply(200, toPage(rows, limit, { toItem: toWireAuditEntry, keyOf: ({ id }) => id }))
}
