/** Makes a transition of a run for the scheduler, which goes through many runs and must not stop at one of them. */
import { TRUE } from '#store/sql.ts'
import type { FlowDeps } from './engine.ts'
import { loadRun } from './load-run.ts'
import type { PlannedRun } from './planned-run.ts'
import { isPlanningFault, planningFailed } from './planning-fault.ts'
import type { LoadRequest, TransitionRequest } from './run-requests.ts'
import { tryTransition } from './try-transition.ts'

/**
 * Reads a run and makes the transition that `transitionOf` returns for it; null makes none. A run that cannot be read fails.
 * @returns false if nothing was written
 */
export const changeRunOnce = async (
  deps: FlowDeps,
  request: LoadRequest,
  transitionOf: (run: PlannedRun) => TransitionRequest | null,
): Promise<boolean> => {
  const [run, transition] = await readOrFail(deps, request, transitionOf)
  return run !== null && transition !== null && tryTransition(deps, run, transition)
}

const readOrFail = async (
  deps: FlowDeps,
  request: LoadRequest,
  transitionOf: (run: PlannedRun) => TransitionRequest | null,
): Promise<readonly [PlannedRun | null, TransitionRequest | null]> => {
  try {
    const run = await loadRun(deps, request)
    return [run, run === null ? null : transitionOf(run)]
  } catch (thrown) {
    if (!isPlanningFault(thrown)) throw thrown
    const bare = await loadRun(deps, { ...request, bare: true })
    return [bare, { events: [planningFailed(thrown)], condition: TRUE }]
  }
}
