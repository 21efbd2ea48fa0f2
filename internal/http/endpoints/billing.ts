import { CREDIT_AMOUNT_RULE, isCreditAmount } from '#core/billing/balance.ts'
import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { creditEntry } from '../schemas/billing.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'

const billing = z
  .object({
    balance_won: z.int(),
    suspended: z.boolean().describe('paid calls are refused'),
    prices: z
      .object({
        prepaid: z.boolean().describe('false: calls are recorded and cost nothing'),
        registry_won: z.int().describe('of a registry certificate'),
        accuracy_won: z.int().describe('on top, for the higher accuracy'),
      })
      .describe('as this server is set'),
    entries: z.array(creditEntry),
    pagination: pageOf(creditEntry).shape.pagination,
  })
  .openapi('Billing')

const credits = z.strictObject({
  amount_won: z.int().refine(isCreditAmount, CREDIT_AMOUNT_RULE).describe('negative takes back'),
  note: z.string().min(1).max(500).optional(),
})

export const billingEndpoints = {
  getBilling: endpoint({
    method: 'get',
    path: '/billing',
    in: 'workspace',
    admits: ['*'],
    tag: 'Billing',
    summary: 'The balance, and what was added and charged, newest first',
    query: pageQuery,
    answers: { 200: json('Balance and a page of entries', billing) },
  }),
  adminAddCredits: endpoint({
    method: 'post',
    path: '/api/admin/workspaces/{id}/credits',
    admits: ['instance'],
    tag: 'Instance',
    summary: 'Add credit to a workspace',
    body: credits,
    isIdempotentByKey: true,
    answers: {
      201: json('Added', z.object({ balance_won: z.int(), entry: creditEntry })),
      404: problem('Unknown workspace'),
      409: problem(
        'More would be taken back than there is, or the Idempotency-Key was used with another body',
      ),
    },
  }),
}
