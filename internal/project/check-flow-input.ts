/** Checks the start input of a local flow against its `inputSchema`, as a server does [flows 1.6]. */
import { inputCheck } from '#core/action/input-schema.ts'
import { invalid } from '#core/error.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import type { JsonValue } from '#core/json/value.ts'

/** @throws {AppError} invalid `input_schema` */
export const checkFlowInput = ({ key, inputSchema }: FlowDefinition, input: JsonValue): void => {
  const details = inputCheck(inputSchema ?? null)?.(input) ?? []
  const [fault] = details
  if (fault === undefined) return
  const message = `The input does not fit the schema of "${key}": ${fault.path} ${fault.message}`
  throw invalid(message, { code: 'input_schema', details })
}
