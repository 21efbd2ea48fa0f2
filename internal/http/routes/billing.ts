/**
 * GET  /api/w/{ws}/billing
 * POST /api/admin/workspaces/{id}/credits
 */
import { CREDIT_AMOUNT_RULE, isCreditAmount } from '#core/billing/balance.ts'
import { addCredit } from '#service/add-credit.ts'
import { requireAccount } from '#service/charge.ts'
import type { Deps } from '#service/deps.ts'
import { listCreditEntries } from '#store/billing.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { creditEntry, toWireCreditEntry } from '../schemas/billing.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
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

export const billingRoutes = (deps: Pick<Deps, 'db' | 'newId' | 'billing'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/billing',
    operationId: 'getBilling',
    scope: '*',
    tag: 'Billing',
    summary: 'The balance, and what was added and charged, newest first',
    query: pageQuery,
    responses: { 200: { description: 'Balance and a page of entries', schema: billing } },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const { balanceWon, isSuspended } = await requireAccount(deps, ws)
      const page = { beforeId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listCreditEntries(deps.db, ws, page)
      const { items: entries, pagination } = toPage(rows, limit, {
        toItem: toWireCreditEntry,
        keyOf: ({ id }) => id,
      })
      const { isPrepaid, registryWon, accuracyWon } = deps.billing
      return reply(200, {
        balance_won: balanceWon,
        suspended: isSuspended,
        prices: { prepaid: isPrepaid, registry_won: registryWon, accuracy_won: accuracyWon },
        entries,
        pagination,
      })
    },
  }),
  route({
    method: 'post',
    // not {ws}: whoever runs the instance adds credit to any workspace, by the token of one
    path: '/api/admin/workspaces/{id}/credits',
    operationId: 'adminAddCredits',
    scope: 'instance',
    tag: 'Instance',
    summary: 'Add credit to a workspace',
    params: z.object({ id: z.string() }),
    body: credits,
    responses: {
      201: {
        description: 'Added',
        schema: z.object({ balance_won: z.int(), entry: creditEntry }),
      },
      404: problem('Unknown workspace'),
      409: problem('More would be taken back than there is'),
    },
    handler: async ({ params: { id: ws }, body, actor }) => {
      const wish = { ws, amountWon: body.amount_won, note: body.note ?? null, actor }
      const { entry, balanceWon } = await addCredit(deps, wish)
      return reply(201, { balance_won: balanceWon, entry: toWireCreditEntry(entry) })
    },
  }),
]
