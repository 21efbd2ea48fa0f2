/**
 * The start input of a flow as a JSON Schema, for the start form. It can be derived without `inputSchema`: a first step
 * without its own input takes the start input, so the schema of its action is that of the flow. Otherwise the references
 * `${input.name}` give the names, and the actions that take those values give their types. Pure.
 */
import type { Json } from '#sdk/mod.ts'
import { isObject } from '../ui/json-object.ts'
import type { FlowDefinition, FlowStep } from './definition.ts'

/** The inputSchema of each action, by action key, if it has one. */
export type ActionSchemas = ReadonlyMap<string, unknown>

type Use = Readonly<{ name: string; schema: unknown; isRequired: boolean }>

const NAME = String.raw`input(?:\.([A-Za-z_]\w*)|\["([^"\\]+)"\])`
const REFERENCES = new RegExp(String.raw`(?<!\$)\$\{\s*${NAME}`, 'g')
const CONDITION_REFERENCES = new RegExp(String.raw`(?<![\w.])${NAME}`, 'g')
/** The whole start input. */
const ALL = /^\$\{\s*input\s*\}$/
const WHOLE = new RegExp(String.raw`^\$\{\s*${NAME}\s*\}$`)

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(([, plain, quoted]) => plain ?? quoted ?? [])

/** A value of the manifest, with the schema of where it is used. */
const usesIn = (value: Json | undefined, schema: unknown): readonly Use[] => {
  if (typeof value === 'string') {
    const isWhole = WHOLE.test(value)
    return namesIn(value, REFERENCES).map((name) => ({
      name,
      // within a longer text, the value becomes text
      schema: isWhole ? schema : { type: 'string' },
      isRequired: true,
    }))
  }
  if (Array.isArray(value)) return value.flatMap((each) => usesIn(each, undefined))
  if (!isObject(value)) return []
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  return Object.entries(value).flatMap(([name, each]) => usesIn(each, properties[name]))
}

const usesOf = (step: FlowStep, schemas: ActionSchemas): readonly Use[] => {
  const schemaOf = (action: string | null): unknown =>
    action === null ? undefined : schemas.get(action)
  const conditions = [step.skipIf, step.stopAfterIf, ...step.arms.map(({ condition }) => condition)]
  return [
    ...usesIn(step.input, schemaOf(step.target)),
    ...usesIn(step.items, { type: 'array' }),
    ...step.arms.flatMap(({ action, input }) => usesIn(input, schemaOf(action))),
    // values in conditions may be absent
    ...conditions.flatMap((text) =>
      namesIn(text ?? '', CONDITION_REFERENCES).map((name) => ({
        name,
        schema: undefined,
        isRequired: false,
      })),
    ),
  ]
}

/** The schema of the action that takes the whole start input; undefined if the first step takes another. */
const schemaOfAll = ({ input, kind, target }: FlowStep, schemas: ActionSchemas): unknown => {
  const isGivenAll = input === undefined || (typeof input === 'string' && ALL.test(input))
  return isGivenAll && kind === 'action' && target !== null ? schemas.get(target) : undefined
}

/** Null if nothing is known; the input is then written as JSON. */
export const startSchema = (
  { steps, inputSchema }: FlowDefinition,
  schemas: ActionSchemas,
): Readonly<Record<string, unknown>> | null => {
  if (inputSchema !== null) return inputSchema
  const [first] = steps
  if (first === undefined) return null
  const whole = schemaOfAll(first, schemas)
  const uses = steps.flatMap((step) => usesOf(step, schemas))
  const known = isObject(whole) && isObject(whole.properties) ? whole : null
  if (known === null && uses.length === 0) return null
  const properties = new Map<string, unknown>()
  const required = new Set<string>()
  for (const { name, schema, isRequired } of uses) {
    const before = properties.get(name)
    if (before === undefined || !isObject(before) || Object.keys(before).length === 0) {
      properties.set(name, schema ?? {})
    }
    if (isRequired) required.add(name)
  }
  if (known === null) {
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: [...required],
    }
  }
  const own = isObject(known.properties) ? known.properties : {}
  const ownRequired: readonly Json[] = Array.isArray(known.required) ? known.required : []
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...own },
    required: [...new Set([...ownRequired, ...required])],
  }
}
