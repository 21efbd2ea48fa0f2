/** Converts a JSON Schema to form fields. Parts that have no field are edited as JSON. Pure. */
import type { Json } from '#sdk/mod.ts'
import { isObject, type JsonObject } from '../ui/json-object.ts'
import { exampleInput } from './example-input.ts'

export type FieldKind = 'text' | 'long_text' | 'number' | 'boolean' | 'choice' | 'group' | 'json'

export type SchemaField = Readonly<{
  name: string
  label: string
  hint: string | null
  kind: FieldKind
  isRequired: boolean
  /** The values of a choice. */
  options: readonly Json[]
  /** The fields of a group. */
  fields: readonly SchemaField[]
  /** The browser's input type for a text. */
  inputType: 'text' | 'email' | 'url' | 'date' | 'password'
  /** Whether a number must be whole. */
  isInteger: boolean
  /** A value that fits, for a field that is edited as JSON; null for other fields. */
  example: Json
}>

const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' ? value : null

/** The only type of the schema besides null, or null if it has several. */
const typeOf = (schema: JsonObject): string | null => {
  const { type } = schema
  if (typeof type === 'string') return type
  if (!Array.isArray(type)) return isObject(schema.properties) ? 'object' : null
  const others = type.filter((each) => each !== 'null')
  return others.length === 1 ? textOf(others[0]) : null
}

const LONG_TEXT = 200
const MOST_DEPTH = 4

const INPUT_TYPES: Readonly<Record<string, SchemaField['inputType']>> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  password: 'password',
}

const kindOf = (schema: JsonObject, depth: number): FieldKind => {
  if (Array.isArray(schema.enum)) return 'choice'
  switch (typeOf(schema)) {
    case 'string':
      return Number(schema.maxLength ?? 0) > LONG_TEXT ? 'long_text' : 'text'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'object':
      return depth < MOST_DEPTH && isObject(schema.properties) ? 'group' : 'json'
    default:
      return 'json'
  }
}

const toField = (
  name: string,
  schema: JsonObject,
  { isRequired, depth }: Readonly<{ isRequired: boolean; depth: number }>,
): SchemaField => {
  const kind = kindOf(schema, depth)
  return {
    name,
    label: textOf(schema.title) ?? name,
    hint: textOf(schema.description),
    kind,
    isRequired,
    options: Array.isArray(schema.enum) ? schema.enum : [],
    fields: kind === 'group' ? fieldsOf(schema, depth + 1) : [],
    inputType: INPUT_TYPES[textOf(schema.format) ?? ''] ?? 'text',
    isInteger: typeOf(schema) === 'integer',
    example: kind === 'json' ? exampleInput(schema) : null,
  }
}

const fieldsOf = (schema: JsonObject, depth: number): readonly SchemaField[] => {
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : []
  const properties = isObject(schema.properties) ? schema.properties : {}
  return Object.entries(properties).map(([name, property]) =>
    toField(name, isObject(property) ? property : {}, {
      isRequired: required.includes(name),
      depth,
    }),
  )
}

/** Empty if the schema has no properties; the value is then edited as JSON. */
export const schemaFields = (schema: unknown): readonly SchemaField[] =>
  isObject(schema) ? fieldsOf(schema, 0) : []

/** Whether a value of the schema may contain a secret, at any depth. */
export const asksForSecret = (schema: unknown): boolean =>
  isObject(schema) &&
  (schema.format === 'password' ||
    Object.values(schema).some((part) => (Array.isArray(part) ? part : [part]).some(asksForSecret)))

/** Whether nothing is filled in. An empty text stays in a required field. */
export const isBlank = (value: Json): boolean =>
  value === '' || (isObject(value) && Object.values(value).every(isBlank))

/** The initial values of a form: the defaults of the schema. */
export const schemaDefaults = (schema: unknown): Json => {
  if (!isObject(schema)) return {}
  if (schema.default !== undefined) return schema.default
  const properties = isObject(schema.properties) ? schema.properties : {}
  const given = Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return []
    if (property.default !== undefined) return [[name, property.default] as const]
    const nested = isObject(property.properties) ? schemaDefaults(property) : {}
    return isObject(nested) && Object.keys(nested).length > 0 ? [[name, nested] as const] : []
  })
  return Object.fromEntries(given)
}
