/**
 * Ends waits as soon as this process has made their runs due: a run took an event that had come before, or got the
 * concurrency slot of a run that ended. A scheduler on another node would find them with its next poll, up to a second later.
 */
import { endWaits } from './end-waits.ts'
import type { FlowDeps } from './engine.ts'

export type EndingWaits = Readonly<{
  /** Waits for the runs that are being advanced. */
  stop: () => Promise<void>
}>

/** @param onFailed called with a failure; the runs are left to the scheduler */
export const endWaitsWhenDue = (
  deps: FlowDeps,
  onFailed: (error: unknown) => void,
): EndingWaits => {
  let isWanted = false
  let underWay: Promise<void> | null = null
  const work = async (): Promise<void> => {
    try {
      while (isWanted) {
        isWanted = false
        await endWaits(deps)
      }
    } catch (error) {
      onFailed(error)
    }
    underWay = null
  }
  const unsubscribe = deps.hints.waitDue.subscribe(() => {
    isWanted = true
    underWay ??= work()
  })
  return {
    stop: async () => {
      unsubscribe()
      isWanted = false
      await underWay
    },
  }
}
