/** Whether an action accepts an input [flows 3.7]. */
import type { ActionDefinition } from '../action/definition.ts'
import { inputCheck } from '../action/input-schema.ts'
import type { AppAddress } from '../app-address.ts'
import { AppError, type ErrorDetail } from '../error.ts'
import { flowControlOf } from '../job/flow-control.ts'
import type { JobError } from '../job/job-error.ts'
import type { JsonValue } from '../json/value.ts'
import { flowLimitOf } from './concurrency.ts'
import type { FlowDefinition } from './definition.ts'
import type { Slot } from './run.ts'

export type RunningApp = AppAddress &
  Readonly<{
    actions: ReadonlyMap<string, ActionDefinition>
    flows: ReadonlyMap<string, FlowDefinition>
  }>

const invalidInput = (message: string): JobError => ({ name: 'InvalidInput', message })

/** Returns the action of a slot whose input is checked; null for a flow, whose first step checks its own, and if there is none. */
export const checkedAction = (
  { actions }: RunningApp,
  { target: { kind, key } }: Slot,
): ActionDefinition | null => (kind === 'flow' ? null : (actions.get(key) ?? null))

/**
 * @param faults of the input by the action's schema, if they are known
 * @returns null if the slot's action accepts its input, or its flow starts with it
 */
export const inputFault = (
  running: RunningApp,
  { target, input }: Slot,
  faults?: readonly ErrorDetail[],
): JobError | null => {
  const { kind, key } = target
  const flow = kind === 'flow' ? running.flows.get(key) : undefined
  if (flow !== undefined) return keyFault(() => flowLimitOf(running, flow, input))
  if (kind === 'flow') return null
  const action = running.actions.get(key)
  if (action === undefined) return invalidInput(`The app has no action "${key}".`)
  return actionInputFault(running, action, input, faults)
}

/** @returns null if the action accepts the input, by its schema and the keys of its flow control */
export const actionInputFault = (
  address: AppAddress,
  action: ActionDefinition,
  input: JsonValue,
  faults: readonly ErrorDetail[] = inputCheck(action.inputSchema)?.(input) ?? [],
): JobError | null => {
  const [fault] = faults
  if (fault === undefined) {
    const { ws, app } = address
    return keyFault(() => flowControlOf({ ws, app, action }, input))
  }
  const { path, message } = fault
  return invalidInput(`The input does not fit the schema of "${action.key}": ${path} ${message}`)
}

/** @param resolve throws if the input lacks what a key refers to */
const keyFault = (resolve: () => unknown): JobError | null => {
  try {
    resolve()
    return null
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal
    return invalidInput(refusal.message)
  }
}
