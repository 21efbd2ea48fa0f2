/** Finds what a JSON Schema states about a place in a document. Pure. */

import type { Json } from '#sdk/mod.ts'
import { isObject } from '../ui/json-object.ts'

type Node = Readonly<Record<string, Json>>

/** Limits the depth of schemas with circular references. */
const MOST_DEPTH = 12

const targetOf = (root: Node, reference: string): Json | undefined => {
  let found: Json | undefined = root
  for (const part of reference.replace(/^#\/?/, '').split('/')) {
    if (part === '') continue
    found = isObject(found) ? found[part] : undefined
  }
  return found
}

/** The schema and all schemas that it consists of. */
const partsOf = (root: Node, schema: Json | undefined, depth = 0): readonly Node[] => {
  if (!isObject(schema) || depth > MOST_DEPTH) return []
  const { $ref } = schema
  const within = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => {
    const list = schema[name]
    return Array.isArray(list) ? list : []
  })
  const more = typeof $ref === 'string' ? [targetOf(root, $ref), ...within] : within
  return [schema, ...more.flatMap((each) => partsOf(root, each, depth + 1))]
}

const stepInto = (parts: readonly Node[], key: string | null): readonly Json[] =>
  parts.flatMap(({ properties, additionalProperties, items }): readonly Json[] => {
    if (key === null) return items === undefined ? [] : [items]
    const own = isObject(properties) ? properties[key] : undefined
    if (own !== undefined) return [own]
    return additionalProperties === undefined ? [] : [additionalProperties]
  })

/** All schemas that apply to a place. */
export const schemasAt = (schema: Json, path: readonly (string | null)[]): readonly Node[] => {
  if (!isObject(schema)) return []
  let parts = partsOf(schema, schema)
  for (const key of path) {
    parts = stepInto(parts, key).flatMap((each) => partsOf(schema, each))
  }
  return parts
}

export type Property = Readonly<{ key: string; type: string; text: string; isRequired: boolean }>

const typeOf = (parts: readonly Node[]): string => {
  const types = parts.flatMap(({ type, enum: values }) => {
    if (Array.isArray(values)) return values.map((value) => JSON.stringify(value))
    return typeof type === 'string' ? [type] : []
  })
  return [...new Set(types)].slice(0, 4).join(' | ')
}

export const descriptionOf = (parts: readonly Node[]): string =>
  parts.map(({ description }) => description).find((text) => typeof text === 'string') ?? ''

/** The keys that a mapping at this place may have. */
export const propertiesOf = (schema: Json, parts: readonly Node[]): readonly Property[] => {
  const root = isObject(schema) ? schema : {}
  const found = new Map<string, Property>()
  for (const { properties, required } of parts) {
    if (!isObject(properties)) continue
    for (const [key, value] of Object.entries(properties)) {
      const own = partsOf(root, value)
      const isRequired = Array.isArray(required) && required.includes(key)
      found.set(key, { key, type: typeOf(own), text: descriptionOf(own), isRequired })
    }
  }
  return [...found.values()]
}

/** The values that this place may have, if they are few. */
export const valuesOf = (parts: readonly Node[]): readonly string[] => [
  ...new Set(
    parts.flatMap(({ enum: values, const: value, type }) => {
      const known = Array.isArray(values) ? values : value === undefined ? [] : [value]
      const all = type === 'boolean' && known.length === 0 ? [true, false] : known
      return all.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    }),
  ),
]

/** Whether a value at this place continues on the lines below its key. */
export const isNested = (parts: readonly Node[]): boolean =>
  parts.some(({ type }) => type === 'object' || type === 'array') && valuesOf(parts).length === 0
