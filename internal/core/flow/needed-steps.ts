/** Which results a run may still look at: only those need be read and decrypted when it goes on. */
import { parseCondition, stepsOfCondition } from './condition/parse.ts'
import type { FlowDefinition } from './definition.ts'
import type { FlowStep } from './steps/opening.ts'
import { referencedSteps } from './template.ts'

const namedIn = (condition: string | undefined): readonly string[] => {
  if (condition === undefined) return []
  const parsed = parseCondition(condition)
  return parsed.condition === null ? [] : stepsOfCondition(parsed.condition)
}

const namedBy = (step: FlowStep): readonly string[] => [
  ...namedIn(step.skipIf),
  ...namedIn(step.stopAfterIf),
  ...referencedSteps(step.input ?? null),
  ...referencedSteps(step.items ?? null),
  ...(step.branches ?? []).flatMap(({ condition, input }) => [
    ...namedIn(condition),
    ...referencedSteps(input ?? null),
  ]),
]

/** Keys of the steps that step `index` and those after it name. */
export const stepsNeededFrom = ({ steps }: FlowDefinition, index: number): ReadonlySet<string> =>
  new Set(steps.slice(index).flatMap(namedBy))
