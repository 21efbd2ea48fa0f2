/** Finds the results that a run may still use. When it continues, only those are read and decrypted. */
import type { JsonValue } from '../json/value.ts'
import { parseCondition, referencesOfCondition } from './condition/parse.ts'
import type { FlowDefinition } from './definition.ts'
import { type FlowStep, kindOf } from './kinds.ts'
import { referencedSteps, stepsIn } from './template.ts'

const namedIn = (condition: string | undefined): readonly string[] => {
  if (condition === undefined) return []
  const parsed = parseCondition(condition)
  return parsed.condition === null ? [] : stepsIn(referencesOfCondition(parsed.condition))
}

type Names = (template: JsonValue | undefined) => readonly string[]

const namedBy = (step: FlowStep, names: Names): readonly string[] => {
  const { conditions = [], templates = [] } = kindOf(step).references?.(step) ?? {}
  return [
    ...[step.skipIf, step.stopAfterIf, ...conditions].flatMap(namedIn),
    ...[step.input, ...templates].flatMap(names),
  ]
}

/** Returns the keys of the steps that the conditions of a branch's arms name. */
export const stepsNamedByArms = ({ branches = [] }: Pick<FlowStep, 'branches'>) =>
  new Set(branches.flatMap(({ condition }) => namedIn(condition)))

/** Undo actions and the failure module may follow each step. An undo without input takes the result of its step. */
const namedByEnding = (
  { steps, failureModule }: FlowDefinition,
  names: Names,
): readonly string[] => [
  ...steps.flatMap(({ key, undo }) => {
    if (undo === undefined) return []
    return undo.input === undefined ? [key] : names(undo.input)
  }),
  ...names(failureModule?.input),
]

/** Returns the keys of the steps that step `index` and everything after it name. */
export const stepsNeededFrom = (definition: FlowDefinition, index: number): ReadonlySet<string> => {
  const keys = definition.steps.map(({ key }) => key)
  const names: Names = (template = null) => referencedSteps(template, keys)
  return new Set([
    ...definition.steps.slice(index).flatMap((step) => namedBy(step, names)),
    ...namedByEnding(definition, names),
  ])
}
