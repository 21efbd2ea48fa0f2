/** Finds the results that a run may still use. When it continues, only those are read and decrypted. */
import { parseCondition, referencesOfCondition } from './condition/parse.ts'
import type { FlowDefinition } from './definition.ts'
import { type FlowStep, kindOf } from './kinds.ts'
import { referencedSteps, stepsIn } from './template.ts'

const namedIn = (condition: string | undefined): readonly string[] => {
  if (condition === undefined) return []
  const parsed = parseCondition(condition)
  return parsed.condition === null ? [] : stepsIn(referencesOfCondition(parsed.condition))
}

const namedBy = (step: FlowStep): readonly string[] => {
  const { conditions = [], templates = [] } = kindOf(step).references?.(step) ?? {}
  return [
    ...[step.skipIf, step.stopAfterIf, ...conditions].flatMap(namedIn),
    ...[step.input, ...templates].flatMap((template) => referencedSteps(template ?? null)),
  ]
}

/** Returns the keys of the steps that the conditions of a branch's arms name. */
export const stepsNamedByArms = ({ branches = [] }: Pick<FlowStep, 'branches'>) =>
  new Set(branches.flatMap(({ condition }) => namedIn(condition)))

/** Undo actions and the failure module may follow each step. An undo without input takes the result of its step. */
const namedByEnding = ({ steps, failureModule }: FlowDefinition): readonly string[] => [
  ...steps.flatMap(({ key, undo }) => {
    if (undo === undefined) return []
    return undo.input === undefined ? [key] : referencedSteps(undo.input)
  }),
  ...referencedSteps(failureModule?.input ?? null),
]

/** Returns the keys of the steps that step `index` and everything after it name. */
export const stepsNeededFrom = (definition: FlowDefinition, index: number): ReadonlySet<string> =>
  new Set([...definition.steps.slice(index).flatMap(namedBy), ...namedByEnding(definition)])
