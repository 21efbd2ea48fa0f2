import {
  type CompleteDeps,
  type CompleteJob,
  createJobCompleter,
  type Ending,
} from '#service/queue/complete-job.ts'

type Listeners = 'onQueued' | 'onSuspended'

/** Ends one attempt as a worker does, in a separate write. */
export const completeJob = (
  deps: CompleteDeps,
  ending: Omit<Ending, Listeners> & Partial<Pick<Ending, Listeners>>,
): ReturnType<CompleteJob> => {
  const complete = createJobCompleter(deps, () => false)
  return complete({ onQueued: () => undefined, onSuspended: () => undefined, ...ending })
}
