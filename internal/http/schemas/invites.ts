import { time } from '../wire.ts'
import { z } from './z.ts'

export const createdInvite = z.object({
  id: z.uuid(),
  url: z.url().describe('shown only once'),
  expires_at: time,
})
