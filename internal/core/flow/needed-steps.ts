/** Which results a run may still look at: only those need be read and decrypted when it goes on. */
import { parseCondition, stepsOfCondition } from './condition/parse.ts'
import type { FlowDefinition } from './definition.ts'
import { type FlowStep, kindOf } from './kinds.ts'
import { referencedSteps } from './template.ts'

const namedIn = (condition: string | undefined): readonly string[] => {
  if (condition === undefined) return []
  const parsed = parseCondition(condition)
  return parsed.condition === null ? [] : stepsOfCondition(parsed.condition)
}

const namedBy = (step: FlowStep): readonly string[] => {
  const { conditions = [], templates = [] } = kindOf(step).references?.(step) ?? {}
  return [
    ...[step.skipIf, step.stopAfterIf, ...conditions].flatMap(namedIn),
    ...[step.input, ...templates].flatMap((template) => referencedSteps(template ?? null)),
  ]
}

/** Undo actions and the failure module may come after each step. An undo without input takes the result of its step. */
const namedByEnding = ({ steps, failureModule }: FlowDefinition): readonly string[] => [
  ...steps.flatMap(({ key, undo }) => {
    if (undo === undefined) return []
    return undo.input === undefined ? [key] : referencedSteps(undo.input)
  }),
  ...referencedSteps(failureModule?.input ?? null),
]

/** Keys of the steps that step `index` and what comes after it name. */
export const stepsNeededFrom = (definition: FlowDefinition, index: number): ReadonlySet<string> =>
  new Set([...definition.steps.slice(index).flatMap(namedBy), ...namedByEnding(definition)])
