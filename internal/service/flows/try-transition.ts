/** Makes a transition of a run that the caller has read. If it cannot be planned, the run fails instead. */
import type { FlowEvent } from '#core/flow/run.ts'
import type { FlowDeps } from './engine.ts'
import { finishPlan } from './finish-plan.ts'
import { loadRun } from './load-run.ts'
import { planStatements } from './plan-statements.ts'
import { openPlan, type Plan, type PlannedRun } from './planned-run.ts'
import { isPlanningFault, planningFailed } from './planning-fault.ts'
import { playEvent } from './play.ts'
import type { TransitionRequest } from './run-requests.ts'
import { writePlan } from './write-plan.ts'

/** @returns false if another process was first or the condition does not hold; nothing is written then */
export const tryTransition = async (
  deps: FlowDeps,
  run: PlannedRun,
  { events, condition, alongside }: TransitionRequest,
): Promise<boolean> => {
  const plan = await planOrFail(deps, run, events)
  return writePlan(deps, plan, planStatements(plan, condition, alongside))
}

/** Plans the events. If that fails, plans the failure of the run instead. */
const planOrFail = async (
  deps: FlowDeps,
  run: PlannedRun,
  events: readonly FlowEvent[],
): Promise<Plan> => {
  const planAll = async (from: PlannedRun, all: readonly FlowEvent[]): Promise<Plan> => {
    const plan = openPlan(deps.newId(), from)
    for (const event of all) await playEvent(deps, plan, from.id, event)
    await finishPlan(deps, plan)
    return plan
  }
  try {
    return await planAll(run, events)
  } catch (thrown) {
    if (!isPlanningFault(thrown)) throw thrown
    const { ws, id, version } = run
    const bare = await loadRun(deps, { ws, id, bare: true })
    // a run that does not exist yet is the caller's error; a run that has advanced meanwhile is read again
    if (bare === null || bare.version !== version) throw thrown
    return planAll(bare, [planningFailed(thrown)])
  }
}
