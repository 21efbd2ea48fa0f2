/**
 * Runs an action for each item; the result is the list of results in the order of the items [flows 2.1]. Without an `input`
 * the action gets the item.
 */

import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../json.ts'
import { limit } from '../../limit.ts'
import { key } from '../../manifest-fields.ts'
import { type FlowData, type Found, found, lookUp, type Reference } from '../data.ts'
import { json } from '../fields.ts'
import type { Slot } from '../run.ts'
import { referencesOf, resolveTemplate } from '../template.ts'
import { createInputBudget, fail, required } from './opening.ts'
import {
  checkAction,
  type Opening,
  type StepCheck,
  type StepData,
  type StepKind,
  type StepOf,
  stepKind,
  targetIn,
} from './step-kind.ts'

/** [flows 12.1] */
const MAX_ITEMS = limit('flow.items', 1_000, 'items', 'Items of a loop.')

const fields = {
  action: key,
  items: z.union(
    [z.array(json).max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`), z.string()],
    'must be a list, or one reference to a list',
  ),
}

type LoopStep = StepOf<typeof fields>

// biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const ITEMS_MESSAGE = 'must be a list, or one reference such as ${results.collect.items}'
const ITEMS_REFERENCE = /^\$\{(?:results|input)(?:\.|\[|\})/

/** A text must be exactly one reference: its closing brace is the end, and there is no other. */
const checkItems: StepCheck<typeof fields> = ({ items }) => {
  if (typeof items !== 'string') return []
  const isReference = ITEMS_REFERENCE.test(items) && items.indexOf('}') === items.length - 1
  return isReference ? [] : [{ path: ['items'], message: ITEMS_MESSAGE }]
}

const open = (step: LoopStep, data: StepData, atOnce: number): Opening => {
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
  return openItems(step, items.value, { data, atOnce })
}

const openItems = (
  step: LoopStep,
  items: readonly JsonValue[],
  { data, atOnce }: Readonly<{ data: StepData; atOnce: number }>,
): Opening => {
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
  const start = Math.min(atOnce, slots.length)
  return { kind: 'slots', slots, start, frame: frameOf(step, data) }
}

type Item = Readonly<{ value: JsonValue; index: number }>

const resolveItem = ({ input }: LoopStep, data: FlowData, item: Item): Found =>
  input === undefined ? found(item.value) : resolveTemplate(input, { ...data, item })

const isOfItem = ({ root }: Reference): boolean => root === 'item'

/** What all items share: the values other than the item that the step's input names, by the text of the reference. */
const frameOf = ({ input }: LoopStep, data: FlowData): JsonObject => {
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

/** The input of an item that begins later, which is the same as when the step began. */
export const itemInput = (step: LoopStep, frame: JsonObject, item: Item): Found => {
  const known = new Map(Object.entries(frame))
  return resolveItem(step, { input: null, results: new Map(), known }, item)
}

/** @param atOnce how many items may be under way */
export const loopKind = <const Name extends string>(
  name: Name,
  atOnce: number,
): StepKind<Name, typeof fields> =>
  stepKind({
    name,
    fields,
    descriptions: {
      items: 'Of kinds forloop and forloop_parallel: a list, or a reference to one.',
    },
    checks: {
      action: (step, app) => checkAction(step.action, ['action'], app),
      items: checkItems,
    },
    targets: (step) => targetIn('action', step.action),
    open: (step, data) => open(step, data, atOnce),
    join: (_step, results) =>
      Array.from({ length: results.size }, (_, slot) => results.get(slot) ?? null),
    atOnce: () => atOnce,
    retries: true,
    references: ({ items }) => ({ templates: [items] }),
    shape: ['[[', ']]'],
  })
