/** Checks the input of a local action or flow as a server does [jobs 3.3] [flows 1.6]. */
import type { ActionDefinition } from '#core/action/definition.ts'
import { inputCheck } from '#core/action/input-schema.ts'
import { invalid } from '#core/error.ts'
import { flowLimitOf } from '#core/flow/concurrency.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import { flowControlOf } from '#core/job/flow-control.ts'
import type { JsonValue } from '#core/json/value.ts'
import { LOCAL_APP } from './local-actions.ts'

/** @throws {AppError} invalid `input_schema`; `missing_concurrency_key` and the like for another key */
export const checkActionInput = (action: ActionDefinition, input: JsonValue): void => {
  checkSchema(action, input)
  flowControlOf({ ...LOCAL_APP, action }, input)
}

/** @throws {AppError} invalid `input_schema`, `missing_concurrency_key` */
export const checkFlowInput = (flow: FlowDefinition, input: JsonValue): void => {
  checkSchema(flow, input)
  flowLimitOf(LOCAL_APP, flow, input)
}

const checkSchema = (
  { key, inputSchema }: ActionDefinition | FlowDefinition,
  input: JsonValue,
): void => {
  const details = inputCheck(inputSchema ?? null)?.(input) ?? []
  const [fault] = details
  if (fault === undefined) return
  const message = `The input does not fit the schema of "${key}": ${fault.path} ${fault.message}`
  throw invalid(message, { code: 'input_schema', details })
}
