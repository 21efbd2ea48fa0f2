/** Finds what a flow needs of its start input and a form does not ask for, before people fill in a form that can only fail. */
import type { ActionDefinition } from '../action/definition.ts'
import type { JsonValue } from '../json/value.ts'
import type { FormField } from './approval/form-field.ts'
import type { FlowDefinition } from './definition.ts'

/** This is the whole start input. */
const WHOLE_INPUT = /^\$\{\s*input\s*\}$/

type Need = Readonly<{ schema: JsonValue; of: string }>

/** A first step without its own input takes the start input, so it must fit the schema of its action. */
const needOf = (
  { inputSchema, steps: [first] }: FlowDefinition,
  actions: ReadonlyMap<string, Pick<ActionDefinition, 'inputSchema'>>,
): Need | null => {
  if (inputSchema !== undefined) return { schema: inputSchema, of: 'The flow' }
  if (first?.action === undefined || first.kind !== 'action') return null
  const { input, action } = first
  const takesAll = input === undefined || (typeof input === 'string' && WHOLE_INPUT.test(input))
  const schema = takesAll ? actions.get(action)?.inputSchema : undefined
  return schema === undefined ? null : { schema, of: `The action "${action}"` }
}

const requiredOf = (schema: JsonValue): readonly string[] => {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return []
  const { required } = schema as { required?: JsonValue }
  if (!Array.isArray(required)) return []
  return required.filter((name) => typeof name === 'string')
}

/** Returns a sentence for each required field of the start input that the form lacks, or that people may leave empty. */
export const findFormGaps = (
  flow: FlowDefinition,
  actions: ReadonlyMap<string, Pick<ActionDefinition, 'inputSchema'>>,
  form: readonly FormField[],
): readonly string[] => {
  const need = needOf(flow, actions)
  if (need === null) return []
  const { schema, of } = need
  return requiredOf(schema).flatMap((name) => {
    const field = form.find(({ key }) => key === name)
    if (field === undefined) {
      return [`${of} requires "${name}", which the form does not ask for: each run fails.`]
    }
    return field.required || field.type === 'boolean'
      ? []
      : [`${of} requires "${name}", which people may leave empty: such a run fails.`]
  })
}
