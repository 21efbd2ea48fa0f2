/** The first arm whose condition holds, else the arm without one, else the step is skipped (document 1, rules 5 and 6). */
import { evaluateCondition } from '../condition/evaluate.ts'
import { type FlowStep, type Opening, oneSlot, type StepData } from './opening.ts'

type Arm = NonNullable<FlowStep['branches']>[number]

const isDefault = ({ condition }: Arm): boolean =>
  condition === undefined || condition.trim() === ''

export const openBranchOne = ({ branches = [] }: FlowStep, data: StepData): Opening => {
  for (const arm of branches) {
    if (isDefault(arm)) continue
    const { holds, error } = evaluateCondition(arm.condition ?? '', data)
    if (error !== null) return { kind: 'fail', error }
    if (holds) return openArm(arm, data)
  }
  const otherwise = branches.find(isDefault)
  return otherwise === undefined ? { kind: 'skip' } : openArm(otherwise, data)
}

const openArm = ({ action, input }: Arm, data: StepData): Opening =>
  oneSlot({ kind: 'action', key: action }, input, data)
