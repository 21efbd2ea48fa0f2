/**
 * Runs an action for each item; the result is the list of results in the order of the items [flows 2.1]. Without an `input`
 * the action gets the item.
 */

import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../json/value.ts'
import { limit } from '../../limit.ts'
import type { Fault } from '../../manifest/fault.ts'
import { key, wholeNumber } from '../../manifest/fields.ts'
import { type FlowData, type Found, found, lookUp, type Reference } from '../data.ts'
import { continueOnError, json } from '../fields.ts'
import type { Slot } from '../run.ts'
import { compileTemplate, referencesOf, resolveTemplate } from '../template.ts'
import { createInputBudget, fail, required } from './opening.ts'
import {
  checkAction,
  checkOneTarget,
  type Opening,
  type StepCheck,
  type StepData,
  type StepKind,
  type StepOf,
  stepKind,
} from './step-kind.ts'
import { checkSubflow } from './subflow.ts'

/** [flows 12.1] */
const MAX_ITEMS = limit('flow.items', 10_000, 'items', 'Items of a loop.')

const fields = {
  action: key.optional(),
  subflow: key.optional(),
  continueOnError,
  items: z.union([z.array(json).max(MAX_ITEMS), z.string()], {
    error: ({ input }) =>
      Array.isArray(input) && input.length > MAX_ITEMS
        ? `must have at most ${MAX_ITEMS} items`
        : 'must be a list, or one reference to a list',
  }),
}

/** Limit and default of the items of a parallel loop that run at the same time. */
export const MAX_AT_ONCE = limit(
  'flow.at_once',
  50,
  'items',
  'Items of a parallel loop that run at once.',
)

/** The fields that only a parallel loop has. */
export const atOnceFields = { atOnce: wholeNumber(1, MAX_AT_ONCE).optional() }

type LoopStep = StepOf<typeof fields>

// biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const ITEMS_MESSAGE = 'must be a list, or one reference such as ${results.collect.items}'
/** The results are an object; the input of a subflow may be a list. */
const ITEMS_REFERENCE = /^\$\{(?:results(?:\.|\[)|input(?:\.|\[|\}))/

/** @returns null if the step has none */
const targetOf = ({ action, subflow }: LoopStep): Slot['target'] | null => {
  if (subflow !== undefined) return { kind: 'flow', key: subflow }
  return action === undefined ? null : { kind: 'action', key: action }
}

/** Checks the items. A text must be exactly one reference: its closing brace is the end, and there is no other. */
const checkItems: StepCheck<typeof fields> = (step) =>
  step.items === undefined ? [] : [...checkOneTarget(step, []), ...checkList(step)]

const checkList = ({ items }: LoopStep): readonly Fault[] => {
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
  return inParts(openItems(step, items.value, { data, atOnce }))
}

/** Bytes of inputs that are made in one part of an opening, which takes about 10 ms. */
const MOST_IN_A_PART = 100_000
/** The bytes that take as long as to replace a reference. */
const REFERENCE_BYTES = 3

type Parts = Generator<undefined, Opening, undefined>

const inParts = (parts: Parts): Opening => {
  const { done, value } = parts.next()
  return done === true ? value : { kind: 'unfinished', next: () => inParts(parts) }
}

const slotOf = ({ value, error }: Found, rest: Pick<Slot, 'target' | 'item'>): Slot =>
  error === null ? { ...rest, input: value } : { ...rest, input: null, fault: error }

function* openItems(
  step: LoopStep,
  items: readonly JsonValue[],
  { data, atOnce }: Readonly<{ data: StepData; atOnce: number }>,
): Parts {
  const target = required(targetOf(step) ?? undefined, 'action')
  const slots: Slot[] = []
  const budget = createInputBudget(step)
  const resolve = step.input === undefined ? null : compileTemplate(step.input)
  const references = referencesOf(step.input ?? null)
  const namesItem = step.input === undefined || references.some(isOfItem)
  let cost = 0
  for (const [index, value] of items.entries()) {
    if (cost > MOST_IN_A_PART) {
      cost = 0
      yield
    }
    const before = budget.used()
    const one = resolve === null ? found(value) : resolve({ ...data, item: { value, index } })
    const item = namesItem ? value : null
    const goesOn = one.error !== null && step.continueOnError === true
    // to find out that an item has no input costs as much as its template, so it counts as that
    const fault = goesOn ? budget.add(step.input ?? null) : (one.error ?? budget.add(one.value))
    if (fault !== null) return { kind: 'fail', error: fault }
    cost += budget.used() - before + references.length * REFERENCE_BYTES
    slots.push(slotOf(one, { target, item }))
  }
  const start = Math.min(atOnce, slots.length)
  return { kind: 'slots', slots, start, frame: frameOf(step, data) }
}

type Item = Readonly<{ value: JsonValue; index: number }>

const resolveItem = ({ input }: LoopStep, data: FlowData, item: Item): Found =>
  input === undefined ? found(item.value) : resolveTemplate(input, { ...data, item })

const isOfItem = ({ root }: Reference): boolean => root === 'item'

/** Returns the values that all items share: those that the step's input references, except the item, by reference. */
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

/** Returns the input of an item that starts later. It uses the values from the start of the step. */
export const itemInput = (step: LoopStep, frame: JsonObject, item: Item): Found => {
  const known = new Map(Object.entries(frame))
  return resolveItem(step, { input: null, results: new Map(), known }, item)
}

/**
 * @param more fields that only this loop has
 * @param atOnce how many items may run at the same time
 */
export const loopKind = <const Name extends string>(
  name: Name,
  more: Readonly<Partial<typeof atOnceFields>>,
  atOnce: (step: LoopStep & Readonly<{ atOnce?: number | undefined }>) => number,
): StepKind<Name, typeof fields> => {
  const all: typeof fields = { ...fields, ...more }
  return stepKind({
    name,
    fields: all,
    descriptions: {
      items: 'Of kinds forloop and forloop_parallel: a list, or a reference to one.',
      continueOnError:
        'Of loops and branchall: a failure is an item `{ok: false, error}` of the result, a success `{ok: true, value}`.',
      atOnce: 'Of kind forloop_parallel: how many items run at once.',
    },
    checks: {
      action: (step, app) => checkAction(step.action, ['action'], app),
      subflow: checkSubflow,
      items: checkItems,
    },
    targets: (step) => [targetOf(step)].filter((target) => target !== null),
    open: (step, data) => open(step, data, atOnce(step)),
    join: (_step, results) =>
      Array.from({ length: results.size }, (_, slot) => results.get(slot) ?? null),
    atOnce,
    retries: true,
    references: ({ items }) => ({ templates: [items] }),
    inputRoots: ['item', 'index'],
    shape: ['[[', ']]'],
  })
}
