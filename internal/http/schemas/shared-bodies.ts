/** Parts of request bodies that routes of jobs and of flow runs share. */
import { z } from './z.ts'

/** A cancel and a rejection by link send it. */
export const reasonFields = z.strictObject({ reason: z.string().max(1_000).optional() })

export const cancelBody = reasonFields.optional()

export const dismissedField = z
  .boolean()
  .default(true)
  .describe('false restores what was dismissed')
