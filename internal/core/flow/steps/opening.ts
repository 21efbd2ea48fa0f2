/** What a step asks for when a run comes to it. */
import type { JobError } from '../../job.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import type { FlowData, Found } from '../data.ts'
import {
  createMeter,
  inputTooLarge,
  jsonBytes,
  MAX_INPUT_BYTES,
  MAX_STEP_BYTES,
  tooLarge,
} from '../data-size.ts'
import type { FlowDefinition } from '../definition.ts'
import type { Slot } from '../run.ts'
import { resolveTemplate } from '../template.ts'

export type FlowStep = FlowDefinition['steps'][number]

export type Opening =
  /** Of the slots the first `start` begin at once. */
  | Readonly<{ kind: 'slots'; slots: readonly Slot[]; start: number; frame?: JsonObject }>
  | Readonly<{ kind: 'wait'; timeoutMs: number | null }>
  /** There is nothing to wait for. */
  | Readonly<{ kind: 'done'; result: JsonValue }>
  | Readonly<{ kind: 'skip' }>
  | Readonly<{ kind: 'fail'; error: JobError }>

export type StepData = FlowData &
  Readonly<{
    /** Of the step before, passing over skipped ones; the start input at first [flows 3.1]. */
    previous: JsonValue
  }>

export const fail = (name: string, message: string): Opening => ({
  kind: 'fail',
  error: { name, message },
})

/** The declared input, else the previous result. */
export const inputOf = (template: JsonValue | undefined, data: StepData): Found =>
  template === undefined ? { value: data.previous, error: null } : resolveTemplate(template, data)

export type SlotInput = Readonly<{ target: Slot['target']; template: JsonValue | undefined }>

/** A step that one child does. */
export const oneSlot = (
  { key }: FlowStep,
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

/** Asked with each input of a step, in turn, before the next one is built. */
export type InputBudget = (input: JsonValue) => JobError | null

/** Of a step with several slots: each input, and all of them together. */
export const createInputBudget = ({ key }: FlowStep): InputBudget => {
  const measure = createMeter(MAX_INPUT_BYTES)
  let total = 0
  return (input) => {
    const bytes = measure(input)
    if (bytes > MAX_INPUT_BYTES) return inputTooLarge(key)
    total += bytes
    return total > MAX_STEP_BYTES
      ? tooLarge(`All inputs of step "${key}" together`, MAX_STEP_BYTES)
      : null
  }
}

/** The deploy checks see to it; a definition that lacks it was not checked. */
export const required = <T>(value: T | undefined, name: string): T => {
  if (value === undefined) throw new Error(`A flow step lacks its ${name}.`)
  return value
}
