/** The arms of a branch: the fields and checks of both kinds. */
import { limit } from '../../limit.ts'
import { type Fault, findDoubles, keysOf } from '../../manifest/fault.ts'
import { key, list, mapping } from '../../manifest/fields.ts'
import { condition, json } from '../fields.ts'
import type { Slot } from '../run.ts'
import {
  type CheckedApp,
  checkAction,
  checkOneTarget,
  type References,
  type StepCheck,
  type StepOf,
} from './step-kind.ts'
import { checkSubflow } from './subflow.ts'

/** [flows 12.1] */
const MAX_ARMS = limit('flow.arms', 20, 'items', 'Arms of a branch.')

const arm = mapping({
  key,
  condition: condition.optional(),
  action: key.optional(),
  subflow: key.optional(),
  input: json.optional(),
})

export const armFields = {
  branches: list(arm, MAX_ARMS).min(1, 'must have at least one arm'),
}

export const armDescriptions = {
  branches: 'Of kinds branchone and branchall: the arms.',
  'branches[].key': 'Name of the arm.',
  'branches[].condition': 'Of branchone: when the arm is taken.',
  'branches[].action': 'Key of the action that the arm runs; either this or subflow.',
  'branches[].subflow': 'Key of the flow that the arm runs; either this or action.',
  'branches[].input': 'Input of the action or flow.',
}

export type BranchStep = StepOf<typeof armFields>
export type Arm = NonNullable<BranchStep['branches']>[number]

const checkArms: StepCheck<typeof armFields> = ({ branches = [] }, app) => [
  ...findDoubles(keysOf(branches), ['branches']),
  ...branches.flatMap((arm, index) => checkArm(arm, ['branches', index], app)),
]

const checkArm = (arm: Arm, path: Fault['path'], app: CheckedApp): readonly Fault[] => [
  ...checkOneTarget(arm, path),
  ...checkAction(arm.action, [...path, 'action'], app),
  ...checkSubflow({ key: arm.key, subflow: arm.subflow }, app).map((fault) => ({
    ...fault,
    path: [...path, ...fault.path],
  })),
]

export const armChecks = { branches: checkArms }

export const targetOfArm = ({ action = '', subflow }: Arm): Slot['target'] =>
  subflow === undefined ? { kind: 'action', key: action } : { kind: 'flow', key: subflow }

export const armTargets = ({ branches = [] }: BranchStep): readonly Slot['target'][] =>
  branches.map(targetOfArm)

export const armReferences = ({ branches = [] }: BranchStep): References => ({
  conditions: branches.map((each) => each.condition),
  templates: branches.map(({ input }) => input),
})
