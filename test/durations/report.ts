/** How long each test file took: written by every run of `make test`, read by the check of the budget. */
import { resolve } from 'node:path'
import { z } from 'zod'

export const ROOT = resolve(import.meta.dirname, '../..')
/** Of the last run. */
export const REPORT = resolve(ROOT, 'dist/test-durations.json')

export const durationReport = z.object({
  /** Unix time in milliseconds. */
  startedAt: z.number(),
  /** Slowest first; seconds include the hooks of the file and its imports. */
  files: z.array(z.object({ path: z.string(), seconds: z.number() })),
})
export type DurationReport = z.infer<typeof durationReport>
