/** What a child sees of its run in `ctx` [flows 9.9]. */
import type { JsonValue } from '../json.ts'
import { asksPeople } from './kinds.ts'
import { stepAt } from './position.ts'
import type { RunState } from './run-state.ts'

export type ChildContext = Readonly<{
  /** Key of the step. */
  step: string
  /** The form values of the approval directly before this step; null without such a step. */
  resumeValue: JsonValue
  /** Index of the step just behind, if it asks people: the child may make links to it. */
  approvalIndex: number | null
}>

export const childContext = (
  { definition, results }: Pick<RunState, 'definition' | 'results'>,
  index: number,
): ChildContext => {
  const before = definition.steps[index - 1]
  const after = definition.steps[index + 1]
  const answer = before !== undefined && asksPeople(before) ? results.get(before.key) : undefined
  return {
    step: stepAt(definition, index).key,
    resumeValue: answer ?? null,
    approvalIndex: after !== undefined && asksPeople(after) ? index + 1 : null,
  }
}
