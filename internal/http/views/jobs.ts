/** Jobs as endpoints answer them, where that is more than the row. */
import type { JsonValue } from '#core/json.ts'
import type { JobAttempt } from '#store/jobs/attempts.ts'
import type { Job } from '#store/jobs/read.ts'

const durationOf = (startedAt: number | null, endedAt: number | null): number | null =>
  endedAt === null ? null : Math.max(endedAt - (startedAt ?? endedAt), 0)

export const toJob = (row: Job) => ({
  ...row,
  jobId: row.id,
  durationMs: durationOf(row.startedAt, row.completedAt),
})

/** @param error of the attempt, decrypted */
export const toAttempt = (row: JobAttempt, error: JsonValue) => ({
  ...row,
  durationMs: durationOf(row.startedAt, row.endedAt),
  error,
})
