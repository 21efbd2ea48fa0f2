/** Creates a simple input that fits a JSON Schema: its defaults, and values for what it requires. Pure. */
import type { Json } from '#sdk/mod.ts'
import { isObject } from '../ui/json-object.ts'

const MOST_DEPTH = 4

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

const example = (schema: unknown, depth: number): Json => {
  if (!isObject(schema) || depth > MOST_DEPTH) return {}
  const given = own(schema)
  if (given !== undefined) return given
  const { type } = schema
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return TEXTS[typeof schema.format === 'string' ? schema.format : ''] ?? 'text'
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'null':
      return null
    default:
      return object(schema, depth)
  }
}

export const exampleInput = (schema: unknown): Json => example(schema, 0)
