/** Parts of request bodies that routes of jobs and of flow runs share. */
import { z } from './z.ts'

/** The page of an approval link sends these, and so do programs. */
export const rejectionFields = z.strictObject({ reason: z.string().max(1_000).optional() })

export const cancelBody = rejectionFields.optional()

export const dismissedField = z
  .boolean()
  .default(true)
  .describe('false restores what was dismissed')
