/** What a child sees of its run in `ctx` [flows 9.9]. */
import type { JsonValue } from '../json/value.ts'
import { asksPeople, type FlowStep, kindOf } from './kinds.ts'
import { stepAt } from './position.ts'
import type { RunState } from './run-state.ts'

export type ChildContext = Readonly<{
  /** Key of the step. */
  step: string
  /** The form values of the approval directly before this step; null without such a step. */
  resumeValue: JsonValue
  /** Index of the step that the child may create links to: its own if it is a reminder, or the one just after it. */
  approvalIndex: number | null
}>

export const childContext = (
  { definition, results }: Pick<RunState, 'definition' | 'results'>,
  index: number,
): ChildContext => {
  const before = definition.steps[index - 1]
  const after = definition.steps[index + 1]
  const here = stepAt(definition, index)
  const behind = after !== undefined && asksPeople(after) ? index + 1 : null
  return {
    step: here.key,
    resumeValue: before === undefined ? null : valuesOf(before, results.get(before.key)),
    approvalIndex: asksPeople(here) ? index : behind,
  }
}

const valuesOf = (step: FlowStep, result: JsonValue | undefined): JsonValue => {
  if (!asksPeople(step) || result === undefined || result === null) return null
  return kindOf(step).formValues?.(step, result) ?? result
}
