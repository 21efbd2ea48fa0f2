/**
 * An action for each item, one after the other or several at once; the result is the list of results in the order of the
 * items. Without an input of its own the action gets the item.
 */
import type { JsonObject, JsonValue } from '../../json.ts'
import { type FlowData, type Found, found, lookUp, type Reference } from '../data.ts'
import type { Slot } from '../run.ts'
import { referencesOf, resolveTemplate } from '../template.ts'
import {
  createInputBudget,
  type FlowStep,
  fail,
  type Opening,
  required,
  type StepData,
} from './opening.ts'

/** Limits [flows 12.1]. */
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

/** How many items may be under way. */
export const atOnceOf = ({ kind }: FlowStep): number => (kind === 'forloop' ? 1 : MAX_AT_ONCE)

const openItems = (step: FlowStep, items: readonly JsonValue[], data: StepData): Opening => {
  const target = { kind: 'action', key: required(step.action, 'action') } as const
  const slots: Slot[] = []
  const exceed = createInputBudget(step)
  const namesItem = step.input === undefined || referencesOf(step.input).some(isOfItem)
  for (const [index, value] of items.entries()) {
    const one = resolveItem(step, data, { value, index })
    const fault = one.error ?? exceed(one.value)
    if (fault !== null) return { kind: 'fail', error: fault }
    slots.push({ target, input: one.value ?? null, item: namesItem ? value : null })
  }
  const start = Math.min(atOnceOf(step), slots.length)
  return { kind: 'slots', slots, start, frame: frameOf(step, data) }
}

type Item = Readonly<{ value: JsonValue; index: number }>

const resolveItem = ({ input }: FlowStep, data: FlowData, item: Item): Found =>
  input === undefined ? found(item.value) : resolveTemplate(input, { ...data, item })

const isOfItem = ({ root }: Reference): boolean => root === 'item'

/** What all items have in common: the values that the step's input names beside the item, by the text of the reference. */
const frameOf = ({ input }: FlowStep, data: FlowData): JsonObject => {
  const shared = referencesOf(input ?? null).filter(
    ({ root }) => root === 'results' || root === 'input',
  )
  return Object.fromEntries(
    shared.flatMap((reference) => {
      const { value, error } = lookUp(data, reference)
      return error === null ? [[reference.text, value]] : []
    }),
  )
}

/** The input of an item that begins later: the same as when the step began. */
export const itemInput = (step: FlowStep, frame: JsonObject, item: Item): Found => {
  const known = new Map(Object.entries(frame))
  return resolveItem(step, { input: null, results: new Map(), known }, item)
}

export const joinItems = (results: ReadonlyMap<number, JsonValue>): JsonValue =>
  Array.from({ length: results.size }, (_, slot) => results.get(slot) ?? null)
