import { time } from '../wire.ts'
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
    created_at: time,
  })
  .openapi('CreditEntry')
