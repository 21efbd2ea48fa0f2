/** Which children of a step may begin: those whose inputs fit, as far as the workspace's queue has room [flows 3.7, 12.3]. */
import { inputFault } from '#core/flow/input-fault.ts'
import type { FlowEvent, Slot, SlotFault } from '#core/flow/run.ts'
import type { Deps } from '../deps.ts'
import type { Plan, PlannedRun } from './planned-run.ts'

/** The cost of checking the input of one slot, in the characters that `Pace` counts. */
const CHECK_COST = 16_384

/** The answer to the run's admission. Places in the queue are taken at once. */
export const admit = async (
  { gate }: Pick<Deps, 'gate'>,
  plan: Plan,
  run: PlannedRun,
): Promise<FlowEvent> => {
  const { admission } = run.state
  if (admission === null) throw new Error(`The run ${run.id} asks for no children.`)
  const { slots, start, needsRoom } = admission
  const fault = await firstFault(plan, run, slots)
  if (fault !== null) return { kind: 'admitted', count: 0, fault }
  const count = needsRoom ? await gate.take(run.ws, start) : start
  return { kind: 'admitted', count, fault: null }
}

const firstFault = async (
  plan: Plan,
  { ws, app, pinned: { actions } }: PlannedRun,
  slots: readonly Slot[],
): Promise<SlotFault | null> => {
  for (const [slot, what] of slots.entries()) {
    const error = inputFault({ ws, app, actions }, what)
    if (error !== null) return { slot, error }
    await plan.pace(CHECK_COST)
  }
  return null
}
