/** Creates a simple input that fits a JSON Schema: its defaults, and values for what it requires. Pure. */
import type { Json } from '#sdk/mod.ts'
import { isObject } from '../ui/json-object.ts'

const MOST_DEPTH = 4
const MOST_ITEMS = 10

const TEXTS: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uri: 'https://example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00Z',
}

const own = (schema: Readonly<Record<string, Json | undefined>>): Json | undefined => {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  const [first] = Array.isArray(schema.examples) ? schema.examples : []
  if (first !== undefined) return first
  return Array.isArray(schema.enum) ? schema.enum[0] : undefined
}

const object = (schema: Readonly<Record<string, Json | undefined>>, depth: number): Json => {
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : []
  const properties = isObject(schema.properties) ? schema.properties : {}
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, property]) => [name, example(property, depth + 1)]),
  )
}

/** As many items as the schema requires, and one if it describes them. */
const array = (schema: Readonly<Record<string, Json | undefined>>, depth: number): Json => {
  const { items, prefixItems, minItems, maxItems } = schema
  const first = Array.isArray(prefixItems) ? prefixItems : []
  const least = typeof minItems === 'number' ? minItems : 0
  const described = isObject(items) && maxItems !== 0 ? 1 : 0
  const count = Math.min(MOST_ITEMS, Math.max(least, first.length, described))
  return Array.from({ length: count }, (_, at) => example(first[at] ?? items, depth + 1))
}

const example = (schema: unknown, depth: number): Json => {
  if (!isObject(schema) || depth > MOST_DEPTH) return {}
  const given = own(schema)
  if (given !== undefined) return given
  const { type } = schema
  const [variant] = [schema.anyOf, schema.oneOf].flatMap((each) =>
    Array.isArray(each) ? each : [],
  )
  if (type === undefined && variant !== undefined) return example(variant, depth + 1)
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return TEXTS[typeof schema.format === 'string' ? schema.format : ''] ?? 'text'
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return true
    case 'array':
      return array(schema, depth)
    case 'null':
      return null
    default:
      return object(schema, depth)
  }
}

export const exampleInput = (schema: unknown): Json => example(schema, 0)
