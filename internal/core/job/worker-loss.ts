/** What happens to a job whose worker stopped renewing its lease [jobs 8.7]. */
import type { EventFrom } from './transitions.ts'

export type LostAttempt = Readonly<{
  /** Workers that were lost with this job before. */
  crashes: number
  /** The number of lost workers at which the job fails. */
  crashLimit: number
  isCancelRequested: boolean
}>

export type WorkerLoss = Extract<EventFrom<'running'>, 'observe_cancel' | 'give_up' | 'lose_worker'>

/** A requested cancel takes effect, else the job fails at the limit, else it is queued again. */
export const afterWorkerLoss = ({
  crashes,
  crashLimit,
  isCancelRequested,
}: LostAttempt): WorkerLoss => {
  if (isCancelRequested) return 'observe_cancel'
  return crashes + 1 >= crashLimit ? 'give_up' : 'lose_worker'
}

/** The crash limit of a job: `onWorkerLost: fail` allows no lost worker. */
export const crashLimitOf = (
  { onWorkerLost }: Readonly<{ onWorkerLost?: string | undefined | null }>,
  maxCrashes: number,
): number => (onWorkerLost === 'fail' ? 1 : maxCrashes)
