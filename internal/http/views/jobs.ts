/** Jobs as endpoints return them, if that is more than the row. */
import { z } from 'zod'
import type { JsonText } from '#core/json/text.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import type { Deps } from '#service/deps.ts'
import { jobErrorSummary } from '#service/flows/error-summary.ts'
import type { FiguresAt } from '#service/queue/measure-jobs.ts'
import type { EventWait } from '#store/events/waits.ts'
import type { JobAttempt } from '#store/jobs/attempts.ts'
import type { ListedJob } from '#store/jobs/list.ts'
import type { Job } from '#store/jobs/read.ts'
import { STEPS_START, type StepPosition } from '#store/jobs/steps.ts'
import { unknownCursor } from '../schemas/page.ts'

const durationOf = (startedAt: number | null, endedAt: number | null): number | null =>
  endedAt === null ? null : Math.max(endedAt - (startedAt ?? endedAt), 0)

export const toJob = (row: Job) => ({ ...row, jobId: row.id })

export const toListedJob = (keyring: Deps['keyring'], row: ListedJob) => ({
  ...toJob(row),
  errorSummary: jobErrorSummary(keyring, row),
})

export const toFigures = ({ isSampled, isTruncated, wait, duration, ...piece }: FiguresAt) => ({
  ...piece,
  estimated: isSampled || isTruncated,
  truncated: isTruncated,
  waitP50Ms: wait?.p50 ?? null,
  waitP95Ms: wait?.p95 ?? null,
  durationP50Ms: duration?.p50 ?? null,
  durationP95Ms: duration?.p95 ?? null,
})

/** @param error the decrypted error of the attempt */
export const toAttempt = (row: JobAttempt, error: JsonText | null) => ({
  ...row,
  durationMs: durationOf(row.startedAt, row.endedAt),
  error,
})

/** Omitted if there are none. */
export const toEventWaits = (waits: readonly EventWait[]) =>
  waits.length === 0
    ? {}
    : {
        eventWaits: waits.map(({ step, name, key, timeoutAt: until }) => ({
          step,
          name,
          key,
          until,
        })),
      }

/** @throws {AppError} invalid: the cursor is not one of this list */
export const toStepPosition = (cursor: string | null): StepPosition => {
  if (cursor === null) return STEPS_START
  const { success, data } = stepPosition.safeParse(parseJsonOrNull(cursor))
  if (success) return { position: data[0], name: data[1] }
  throw unknownCursor()
}

const stepPosition = z.tuple([z.int(), z.string()])
