/** What a cancel did to a job. */
import { isTerminal, type JobStatus } from './transitions.ts'

/** The response to a cancel [jobs 7.1]. */
export type CancelAnswer = Readonly<{
  found: boolean
  completedNow: boolean
  softCanceled: boolean
  alreadyCompleted: boolean
}>

export const cancelAnswer = (before: JobStatus): CancelAnswer => ({
  found: true,
  completedNow: before === 'queued',
  softCanceled: before === 'running',
  alreadyCompleted: isTerminal(before),
})
