/** Runs the first arm whose condition holds, else the first arm without one, else the step is skipped [flows 2.2]. */
import type { JobError } from '../../job/job-error.ts'
import type { Fault } from '../../manifest/fault.ts'
import { evaluateCondition } from '../condition/evaluate.ts'
import type { FlowData } from '../data.ts'
import {
  type Arm,
  armChecks,
  armDescriptions,
  armFields,
  armReferences,
  armTargets,
  type BranchStep,
  targetOfArm,
} from './arms.ts'
import { oneSlot } from './opening.ts'
import { stepKind } from './step-kind.ts'

const isDefault = ({ condition }: Arm): boolean =>
  condition === undefined || condition.trim() === ''

type ChosenArm =
  /** `arm` is null if none fits. */
  Readonly<{ arm: Arm | null; error: null }> | Readonly<{ arm: null; error: JobError }>

const chooseArm = ({ branches = [] }: BranchStep, data: FlowData): ChosenArm => {
  for (const arm of branches) {
    if (isDefault(arm)) continue
    const { holds, error } = evaluateCondition(arm.condition ?? '', data)
    if (error !== null) return { arm: null, error }
    if (holds) return { arm, error: null }
  }
  return { arm: branches.find(isDefault) ?? null, error: null }
}

/** Finds arms that no run takes, because another one is taken before. */
const findUnreachable = ({ branches = [] }: BranchStep): readonly Fault[] =>
  branches.flatMap((arm, index) => {
    const before = branches.slice(0, index).find((other) => takesAll(other, arm))
    return before === undefined
      ? []
      : [
          {
            path: ['branches', index],
            message: `the arm "${arm.key}" is never taken: the arm "${before.key}" comes first`,
          },
        ]
  })

/** Whether the first arm is taken in every case in which the second one could be. */
const takesAll = (first: Arm, second: Arm): boolean => {
  if (isDefault(first)) return isDefault(second)
  const condition = first.condition?.trim()
  return condition === 'true' || condition === second.condition?.trim()
}

export const branchone = stepKind({
  name: 'branchone',
  fields: armFields,
  descriptions: armDescriptions,
  checks: armChecks,
  targets: armTargets,
  // results never change, so the conditions choose the same arm again
  targetOf: (step, _slot, data) => {
    const { arm } = chooseArm(step, data)
    return arm === null ? undefined : targetOfArm(arm)
  },
  open: (step, data) => {
    const { arm, error } = chooseArm(step, data)
    if (error !== null) return { kind: 'fail', error }
    if (arm === null) return { kind: 'skip' }
    return oneSlot(step, { target: targetOfArm(arm), template: arm.input }, data)
  },
  retries: false,
  references: armReferences,
  doubts: findUnreachable,
  arms: {
    otherwise: 'otherwise',
    // no row has the chosen arm, so it is computed again
    states: (step, { status, data }) => {
      const { arm } = chooseArm(step, data)
      return (step.branches ?? []).map((each) => ({
        key: each.key,
        status: each === arm ? status : 'skipped',
      }))
    },
  },
  shape: ['{', '}'],
})
