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

/** Keys of the steps that step `index` and those after it name. */
export const stepsNeededFrom = ({ steps }: FlowDefinition, index: number): ReadonlySet<string> =>
  new Set(steps.slice(index).flatMap(namedBy))
