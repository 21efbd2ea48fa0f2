/** `tail_bytes` and `format` of the log routes, and the pieces of a log [jobs 6.2]. */
import { LOG_STREAMS } from '#core/job/log-stream.ts'
import { limit } from '#core/limit.ts'
import { storedEnum, time } from '../wire.ts'
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

/** For callers of the workspace; the log of a shared job is text only. */
export const ownLogQuery = logQuery.extend({ format: z.enum(['text', 'json']).default('text') })

export const logItems = z
  .object({
    items: z.array(
      z.object({
        at: time.describe('when the worker received it'),
        stream: storedEnum(LOG_STREAMS).describe(
          'log: ctx.log; stderr: console.error and warn, and errors',
        ),
        text: z.string(),
      }),
    ),
  })
  .openapi('LogItems')

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const

export const PLAIN_TEXT = { 'content-type': 'text/plain; charset=utf-8' } as const
