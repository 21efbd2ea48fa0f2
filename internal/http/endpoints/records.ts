import { TERMINAL_STATUSES } from '#core/job/transitions.ts'
import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { timeQuery } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'
import { storedEnum, time } from '../wire.ts'

const ledgerEntry = z
  .object({
    id: z.uuid(),
    customer_id: z.uuid().nullable(),
    app: z.string(),
    action: z.string(),
    job_id: z.uuid(),
    outcome: storedEnum(TERMINAL_STATUSES),
    duration_ms: z.int(),
    completed_at: time,
  })
  .openapi('LedgerEntry')

const ledgerQuery = pageQuery.extend({
  app: z.string().max(200).optional(),
  customer_id: z.string().max(200).optional(),
  since: timeQuery.optional().describe('ended at or after'),
  until: timeQuery.optional().describe('ended at or before'),
})

const used = {
  runs: z.int().describe('ended jobs'),
  failures: z.int(),
  canceled: z.int(),
  duration_ms: z.int().describe('of all of them'),
}

const customerUsage = z
  .object({
    customer_id: z.uuid(),
    name: z.string().nullable().describe('null after the customer was deleted'),
    external_ref: z.string().nullable(),
    ...used,
    days: z
      .array(z.object({ date: z.iso.date().describe('in UTC'), ...used }))
      .describe('those with an ended job, oldest first'),
  })
  .openapi('CustomerUsage')

const usageQuery = pageQuery.extend({
  customer_id: z.uuid().optional(),
  since: timeQuery.optional().describe('the first day; without it, 30 days up to the last'),
  until: timeQuery.optional().describe('the last day, which counts as a whole; without it, today'),
})

const auditEntry = z
  .object({
    id: z.uuid(),
    identity: z.string().describe('who: an e-mail address, customer:<id>, or cli'),
    identity_name: z
      .string()
      .nullable()
      .describe('what an id in the identity means: the name of a customer'),
    credential_kind: z.string(),
    credential_prefix: z.string().nullable().describe('by which the credential is found'),
    address: z.string().nullable().describe("the caller's network address"),
    action: z.string().describe('what: noun.participle, as token.revoked'),
    target: z.string().describe('to what: an id, a key, an e-mail address'),
    target_name: z
      .string()
      .nullable()
      .describe('what the id means to people; null where the target is a name, or is gone'),
    at: time,
  })
  .openapi('AuditEntry')

const auditQuery = pageQuery.extend({
  actor: z.string().max(300).optional().describe('an identity, as the entries show it'),
  action: z.string().max(100).optional(),
  since: timeQuery.optional(),
  until: timeQuery.optional(),
})

export const recordEndpoints = {
  listLedgerEntries: endpoint({
    method: 'get',
    path: '/ledger',
    in: 'workspace',
    admits: ['*'],
    tag: 'Records',
    summary: 'Billing records of ended jobs, newest first; kept when retention takes the job',
    query: ledgerQuery,
    answers: { 200: json('A page', pageOf(ledgerEntry)), 400: problem('Bad filter or cursor') },
  }),
  listUsage: endpoint({
    method: 'get',
    path: '/usage',
    in: 'workspace',
    admits: ['*'],
    tag: 'Records',
    summary: 'What each customer used, by day, from the billing records',
    query: usageQuery,
    answers: {
      200: json(
        'A page of customers that used something',
        pageOf(customerUsage).extend({ since: time, until: time.describe('exclusive') }),
      ),
      400: problem('Bad period or cursor'),
    },
  }),
  listAuditEntries: endpoint({
    method: 'get',
    path: '/audit',
    in: 'workspace',
    admits: ['*'],
    tag: 'Records',
    summary: 'Who did what, newest first; kept for SVC_AUDIT_RETENTION_DAYS',
    query: auditQuery,
    answers: { 200: json('A page', pageOf(auditEntry)), 400: problem('Bad filter or cursor') },
  }),
  adminListAuditEntries: endpoint({
    method: 'get',
    path: '/api/admin/audit',
    admits: ['instance'],
    tag: 'Records',
    summary: 'Audit log of the instance: sign-ins, accounts, the instance key; newest first',
    query: auditQuery,
    answers: { 200: json('A page', pageOf(auditEntry)), 400: problem('Bad filter or cursor') },
  }),
}
