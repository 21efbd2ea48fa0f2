/** Parts of request bodies that routes of jobs and of flow runs share. */
import { z } from './z.ts'

/** Of a rejection by link. */
export const rejectionFields = z.strictObject({ reason: z.string().max(1_000).optional() })

export const cancelBody = rejectionFields.optional()

export const dismissedField = z
  .boolean()
  .default(true)
  .describe('false restores what was dismissed')
