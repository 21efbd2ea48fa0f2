/** The duration of each test file. Every run of `make test` writes it, and the check of the budget reads it. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { ROOT } from '../support/repository.ts'

/** The report of the last run. */
export const REPORT = resolve(ROOT, 'dist/test-durations.json')

export const durationReport = z.object({
  /** Unix time in milliseconds. */
  startedAt: z.number(),
  /** Slowest first. Seconds include the hooks of the file and its imports. */
  files: z.array(z.object({ path: z.string(), seconds: z.number() })),
})
export type DurationReport = z.infer<typeof durationReport>
