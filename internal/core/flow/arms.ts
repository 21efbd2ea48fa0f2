/** The state of each arm of a branch, as far as the run has come [flows 2.2, 2.3]. */

import type { ArmState, BranchState } from './kinds/step-kind.ts'
import { type FlowStep, kindOf } from './kinds.ts'

/** @returns null if the step has no arms */
export const armStates = (step: FlowStep, state: BranchState): readonly ArmState[] | null => {
  const { arms } = kindOf(step)
  if (arms === undefined) return null
  const { status } = state
  if (status === 'pending' || status === 'skipped') {
    return (step.branches ?? []).map(({ key }) => ({ key, status }))
  }
  return arms.states(step, state)
}
