/** All arms at once; the result is an object keyed by arm, in the order of the manifest. */
import type { JsonValue } from '../../json.ts'
import type { Slot } from '../run.ts'
import { type FlowStep, inputOf, type Opening, type StepData } from './opening.ts'

export const openBranchAll = ({ branches = [] }: FlowStep, data: StepData): Opening => {
  const slots: Slot[] = []
  for (const { action, input: template } of branches) {
    const { value, error } = inputOf(template, data)
    if (error !== null) return { kind: 'fail', error }
    slots.push({ target: { kind: 'action', key: action }, input: value })
  }
  return { kind: 'slots', slots, start: slots.length }
}

export const joinBranches = (
  { branches = [] }: FlowStep,
  results: ReadonlyMap<number, JsonValue>,
): JsonValue =>
  Object.fromEntries(branches.map(({ key }, slot) => [key, results.get(slot) ?? null]))
