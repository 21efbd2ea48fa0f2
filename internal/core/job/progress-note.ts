/** The progress that a job reports of itself [jobs 4.7]. */
import { limit } from '../limit.ts'

export const MAX_PROGRESS_NOTE = limit(
  'job.progress_note',
  200,
  'characters',
  'Note of `ctx.progress`. The rest is cut off.',
)

export type Progress = Readonly<{
  /** From 0 to 1. */
  fraction: number
  note: string | null
}>

export const isSameProgress = (one: Progress | null, other: Progress | null): boolean =>
  one?.fraction === other?.fraction && one?.note === other?.note
