/** The query of requests that start a job or a flow run: when, where and how urgently it runs, and how long to wait for its end. */
import { limit } from '#core/limit.ts'
import { tagName } from '#core/placement/tag-name.ts'
import { timeText } from '#core/rfc3339.ts'
import { z } from './z.ts'

const ANY_TAG = 'or with the scope apps:write any that the workspace allows'

const fields = {
  scheduled_for: timeText.optional().describe('not before this time'),
  priority: z
    .string()
    .regex(/^-?\d{1,3}$/, 'must be a whole number from -100 to 100')
    .transform(Number)
    .pipe(z.number().min(-100).max(100))
    .optional()
    .describe('-100 to 100, higher first'),
}

export const jobQuery = z.object({
  tag: tagName
    .optional()
    .describe(`run on workers of this tag: one of the action’s own, ${ANY_TAG}`),
  ...fields,
})

export const flowQuery = z.object({
  tag: tagName
    .optional()
    .describe(`run all jobs on workers of this tag: the workspace’s default, ${ANY_TAG}`),
  ...fields,
})

const MAX_WAIT_MS = limit(
  'job.wait',
  30_000,
  'ms',
  '`timeout_ms` of a request that waits for its job or flow run. Then it answers 202.',
)

/** How long a request waits for the end of what it has started. */
export const waitFields = {
  timeout_ms: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number from 1 to 30000')
    .transform(Number)
    .pipe(z.number().min(1).max(MAX_WAIT_MS))
    .default(MAX_WAIT_MS)
    .describe('milliseconds to wait, 1 to 30000 (the default)'),
}
