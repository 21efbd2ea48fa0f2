/** What a child sees of its run in `ctx` [flows 9.5, 9.9]. */
import type { JsonValue } from '../json/value.ts'
import type { FlowDefinition } from './definition.ts'
import { asksPeople, type FlowStep, kindOf, passesOver } from './kinds.ts'
import { stepAt } from './position.ts'
import type { RunState } from './run-state.ts'
import { isEndingIndex } from './undo.ts'

export type ChildContext = Readonly<{
  /** Key of the step. */
  step: string
  /** The form values of the approval that this step follows; null without one. */
  resumeValue: JsonValue
  /** Index of the step that the child may create links to: its own if it is a reminder, or the one just after it. */
  approvalIndex: number | null
}>

export const childContext = (
  { definition, resumeValue }: Pick<RunState, 'definition' | 'resumeValue'>,
  index: number,
): ChildContext => {
  const after = definition.steps[index + 1]
  const here = stepAt(definition, index)
  const behind = after !== undefined && asksPeople(after) ? index + 1 : null
  return {
    step: here.key,
    resumeValue: isEndingIndex(definition, index) ? null : resumeValue,
    approvalIndex: asksPeople(here) ? index : behind,
  }
}

/** Returns what people filled in, from the result of a step that succeeded; null if it does not ask people. */
export const formValuesOf = (step: FlowStep, result: JsonValue): JsonValue =>
  asksPeople(step) ? (kindOf(step).formValues?.(step, result) ?? result) : null

/** Whether step `index` follows an approval if the steps between are skipped. */
export const mayFollowApproval = ({ steps }: FlowDefinition, index: number): boolean => {
  const before = steps.slice(0, index).findLast((step) => asksPeople(step) || !maySkip(step))
  return before !== undefined && asksPeople(before)
}

const maySkip = (step: FlowStep): boolean =>
  step.skipIf !== undefined || kindOf(step).arms !== undefined || passesOver(step)
