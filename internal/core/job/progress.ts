/** Computes which statuses a job must have passed through between two reads, so that a follower misses none. */
import type { JobStatus } from './transitions.ts'

export type JobProgress = Readonly<{ status: JobStatus; attempt: number }>

/** @returns the steps after `seen` up to `now`, which is the last; empty when nothing changed */
export const progressBetween = (
  seen: JobProgress | null,
  now: JobProgress,
): readonly JobProgress[] => {
  if (seen === null) return [now]
  const steps: JobProgress[] = []
  let last = seen
  const step = (next: JobProgress): void => {
    if (next.status === last.status && next.attempt === last.attempt) return
    steps.push(next)
    last = next
  }
  while (last.attempt < now.attempt) {
    // an attempt that ended without ending the job returned it to the queue
    step({ status: 'queued', attempt: last.attempt })
    step({ status: 'running', attempt: last.attempt + 1 })
  }
  step(now)
  return steps
}
