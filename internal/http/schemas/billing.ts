import type { CreditEntry } from '#store/billing.ts'
import { toTimestamp } from './time.ts'
import { z } from './z.ts'

export const creditEntry = z
  .object({
    id: z.uuid(),
    kind: z.enum(['opening', 'credit', 'charge']),
    amount_won: z.int().describe('negative when it was taken away'),
    note: z.string().nullable(),
    route: z.string().nullable().describe('what was called, of a charge'),
    api_key_id: z.string().nullable().describe('with which key, of a charge'),
    request_id: z.string().nullable().describe('in which request, of a charge'),
    created_at: z.string(),
  })
  .openapi('CreditEntry')

export const toWireCreditEntry = (row: CreditEntry) => ({
  id: row.id,
  kind: row.kind,
  amount_won: row.amountWon,
  note: row.note,
  route: row.route,
  api_key_id: row.apiKeyId,
  request_id: row.requestId,
  created_at: toTimestamp(row.createdAt),
})
