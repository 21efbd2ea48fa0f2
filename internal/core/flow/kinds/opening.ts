/** Openings of steps that have slots, within the limits for inputs [flows 12.2]. */
import type { JobError } from '../../job/job-error.ts'
import type { JsonValue } from '../../json/value.ts'
import type { Found } from '../data.ts'
import {
  createMeter,
  inputTooLarge,
  jsonBytes,
  MAX_INPUT_BYTES,
  MAX_STEP_BYTES,
  tooLarge,
} from '../data-size.ts'
import type { Slot } from '../run.ts'
import { resolveTemplate } from '../template.ts'
import type { Opening, StepData } from './step-kind.ts'

type Keyed = Readonly<{ key: string }>

export const fail = (name: string, message: string): Opening => ({
  kind: 'fail',
  error: { name, message },
})

/** Returns the input that the template gives; without a template, the previous result [flows 3.1]. */
export const inputOf = (template: JsonValue | undefined, data: StepData): Found =>
  template === undefined ? { value: data.previous, error: null } : resolveTemplate(template, data)

export type SlotInput = Readonly<{ target: Slot['target']; template: JsonValue | undefined }>

/** The opening of a step that has one slot. */
export const oneSlot = (
  { key }: Keyed,
  { target, template }: SlotInput,
  data: StepData,
): Opening => {
  const { value, error } = inputOf(template, data)
  if (error !== null) return { kind: 'fail', error }
  if (jsonBytes(value, MAX_INPUT_BYTES) > MAX_INPUT_BYTES) {
    return { kind: 'fail', error: inputTooLarge(key) }
  }
  return { kind: 'slots', slots: [{ target, input: value }], start: 1 }
}

export type InputBudget = Readonly<{
  /** Adds an input before the next one is built. @returns the error of an input that exceeds the budget */
  add: (input: JsonValue) => JobError | null
  /** Returns the bytes of all inputs so far. */
  used: () => number
}>

/** Creates a budget that limits each input of a step with several slots, and all of them together. */
export const createInputBudget = ({ key }: Keyed): InputBudget => {
  const measure = createMeter(MAX_INPUT_BYTES)
  let total = 0
  const add = (input: JsonValue): JobError | null => {
    const bytes = measure(input)
    if (bytes > MAX_INPUT_BYTES) return inputTooLarge(key)
    total += bytes
    return total > MAX_STEP_BYTES
      ? tooLarge(`All inputs of step "${key}" together`, MAX_STEP_BYTES)
      : null
  }
  return { add, used: () => total }
}

/** @throws {Error} the deploy checks refuse a step that lacks the field, so this definition was not checked */
export const required = <T>(value: T | undefined, name: string): T => {
  if (value === undefined) throw new Error(`A flow step lacks its ${name}.`)
  return value
}
