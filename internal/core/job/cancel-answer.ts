/** What a cancel has done to a job. */
import { isTerminal, type JobStatus } from './transitions.ts'

/** The answer to a cancel [jobs 7.1]. */
export type CancelAnswer = Readonly<{
  found: boolean
  completed_now: boolean
  soft_canceled: boolean
  already_completed: boolean
}>

export const cancelAnswer = (before: JobStatus): CancelAnswer => ({
  found: true,
  completed_now: before === 'queued',
  soft_canceled: before === 'running',
  already_completed: isTerminal(before),
})
