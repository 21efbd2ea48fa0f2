/** `tail_bytes` of the log routes [jobs 6.2]. */
import { limit } from '#core/limit.ts'
import { z } from './z.ts'

const MAX_TAIL_BYTES = limit('job.log_tail', 1_048_576, 'bytes', '`tail_bytes` of a log.')

export const logQuery = z.object({
  tail_bytes: z
    .string()
    .regex(/^\d{1,7}$/, `must be a whole number from 0 to ${MAX_TAIL_BYTES}`)
    .transform(Number)
    .pipe(z.number().max(MAX_TAIL_BYTES))
    .optional(),
})

export const PLAIN_TEXT = { 'content-type': 'text/plain; charset=utf-8' } as const
