/**
 * An action for each item, one after the other or several at once; the result is the list of results in the order of the
 * items. Without an input of its own the action gets the item.
 */
import type { JsonValue } from '../../json.ts'
import type { Slot } from '../run.ts'
import { resolveTemplate } from '../template.ts'
import { type FlowStep, fail, type Opening, required, type StepData } from './opening.ts'

/** Contract, Flows: limits. */
const MAX_ITEMS = 1_000
const MAX_AT_ONCE = 50

export const openLoop = (step: FlowStep, data: StepData): Opening => {
  const items = resolveTemplate(required(step.items, 'items'), data)
  if (items.error !== null) return { kind: 'fail', error: items.error }
  if (!Array.isArray(items.value)) {
    return fail('BadItems', `The items of step "${step.key}" are no list.`)
  }
  const { length } = items.value
  if (length > MAX_ITEMS) {
    return fail('BadItems', `Step "${step.key}" has ${length} items; ${MAX_ITEMS} are the limit.`)
  }
  if (length === 0) return { kind: 'done', result: [] }
  return openItems(step, items.value, data)
}

const openItems = (step: FlowStep, items: readonly JsonValue[], data: StepData): Opening => {
  const target = { kind: 'action', key: required(step.action, 'action') } as const
  const slots: Slot[] = []
  for (const [index, value] of items.entries()) {
    const one =
      step.input === undefined
        ? { value, error: null }
        : resolveTemplate(step.input, { ...data, item: { value, index } })
    if (one.error !== null) return { kind: 'fail', error: one.error }
    slots.push({ target, input: one.value })
  }
  const atOnce = step.kind === 'forloop' ? 1 : MAX_AT_ONCE
  return { kind: 'slots', slots, start: Math.min(atOnce, slots.length) }
}

export const joinItems = (results: ReadonlyMap<number, JsonValue>): JsonValue =>
  Array.from({ length: results.size }, (_, slot) => results.get(slot) ?? null)
