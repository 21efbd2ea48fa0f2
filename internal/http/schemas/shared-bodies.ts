/** Request bodies, and parts of them, that routes of jobs and of flow runs share. */
import { MAX_CANCEL_REASON } from '#core/job/cancel-limits.ts'
import { MAX_OPERATION_IDS } from '#core/job/operation.ts'
import { z } from './z.ts'

/** A cancel and a rejection by link send it. */
export const reasonFields = z.strictObject({ reason: z.string().max(MAX_CANCEL_REASON).optional() })

export const cancelBody = reasonFields.optional()

const dismissed = z.boolean().default(true).describe('false restores what was dismissed')

export const dismissalBody = z.strictObject({ dismissed }).optional()

export const dismissalsBody = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(MAX_OPERATION_IDS),
  dismissed,
})
