/** Parts of request bodies that routes of jobs and of flow runs share. */
import { z } from './z.ts'

export const cancelBody = z.strictObject({ reason: z.string().max(1_000).optional() }).optional()

export const dismissedField = z
  .boolean()
  .default(true)
  .describe('false restores what was dismissed')
