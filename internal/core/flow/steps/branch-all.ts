/** All arms at once; the result is an object keyed by arm, in the order of the manifest. */
import type { JsonValue } from '../../json.ts'
import type { Slot } from '../run.ts'
import {
  createInputBudget,
  type FlowStep,
  inputOf,
  type Opening,
  type StepData,
} from './opening.ts'

export const openBranchAll = (step: FlowStep, data: StepData): Opening => {
  const slots: Slot[] = []
  const exceed = createInputBudget(step)
  for (const { action, input: template } of step.branches ?? []) {
    const { value, error } = inputOf(template, data)
    const fault = error ?? exceed(value)
    if (fault !== null) return { kind: 'fail', error: fault }
    slots.push({ target: { kind: 'action', key: action }, input: value })
  }
  return { kind: 'slots', slots, start: slots.length }
}

export const joinBranches = (
  { branches = [] }: FlowStep,
  results: ReadonlyMap<number, JsonValue>,
): JsonValue =>
  Object.fromEntries(branches.map(({ key }, slot) => [key, results.get(slot) ?? null]))
