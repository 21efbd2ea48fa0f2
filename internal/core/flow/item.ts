/** What one slot adds to the result of its step. With `continueOnError`, a failure adds something too [flows 2.11]. */
import type { JobError } from '../job/job-error.ts'
import type { JsonValue } from '../json/value.ts'
import { jsonBytes, MAX_STEP_BYTES } from './data-size.ts'
import type { FlowStep } from './kinds.ts'
import type { ChildOutcome } from './run.ts'

export type Item = Readonly<{ value: JsonValue; bytes: number }>

/** Bytes that `{"ok":true,"value":}` adds to a value. */
const WRAPPER_BYTES = 20

/** The item of a success, for a step that continues after failures. */
export const doneItem = (value: JsonValue): JsonValue => ({ ok: true, value })

/** The item of a failure. */
export const failedItem = ({ name, message }: JobError): JsonValue => ({
  ok: false,
  error: { name, message },
})

/** `error`: the failure fails the step. */
export type ItemOrError =
  | Readonly<{ item: Item; error: null }>
  | Readonly<{ item: null; error: JobError }>

export const itemOf = (
  { continueOnError = false }: Pick<FlowStep, 'continueOnError'>,
  outcome: ChildOutcome,
): ItemOrError => {
  if (outcome.kind === 'failure') {
    if (!continueOnError) return { item: null, error: outcome.error }
    const value = failedItem(outcome.error)
    return { item: { value, bytes: jsonBytes(value, MAX_STEP_BYTES) }, error: null }
  }
  const bytes = outcome.bytes ?? jsonBytes(outcome.value, MAX_STEP_BYTES)
  const item = continueOnError
    ? { value: doneItem(outcome.value), bytes: bytes + WRAPPER_BYTES }
    : { value: outcome.value, bytes }
  return { item, error: null }
}
