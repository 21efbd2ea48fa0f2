/** The first arm whose condition holds, else the arm without one, else the step is skipped [flows 2.2]. */
import type { JobError } from '../../job.ts'
import { evaluateCondition } from '../condition/evaluate.ts'
import type { FlowData } from '../data.ts'
import { type FlowStep, type Opening, oneSlot, type StepData } from './opening.ts'

type Arm = NonNullable<FlowStep['branches']>[number]

const isDefault = ({ condition }: Arm): boolean =>
  condition === undefined || condition.trim() === ''

export type ChosenArm =
  /** Null: none fits. */
  Readonly<{ arm: Arm | null; error: null }> | Readonly<{ arm: null; error: JobError }>

export const chooseArm = ({ branches = [] }: FlowStep, data: FlowData): ChosenArm => {
  for (const arm of branches) {
    if (isDefault(arm)) continue
    const { holds, error } = evaluateCondition(arm.condition ?? '', data)
    if (error !== null) return { arm: null, error }
    if (holds) return { arm, error: null }
  }
  return { arm: branches.find(isDefault) ?? null, error: null }
}

export const openBranchOne = (step: FlowStep, data: StepData): Opening => {
  const { arm, error } = chooseArm(step, data)
  if (error !== null) return { kind: 'fail', error }
  return arm === null ? { kind: 'skip' } : openArm(step, arm, data)
}

const openArm = (step: FlowStep, { action, input }: Arm, data: StepData): Opening =>
  oneSlot(step, { target: { kind: 'action', key: action }, template: input }, data)
