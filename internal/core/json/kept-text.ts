/**
 * Texts of values that take long to write, or that `JSON.stringify` would write in another order. They last as long as the values.
 */
import { jsonParts } from './text-parts.ts'
import type { JsonValue } from './value.ts'

const texts = new WeakMap<object, string>()

/** @param text JSON of the value */
export const keepText = (value: object, text: string): void => {
  texts.set(value, text)
}

/** Returns the JSON of a value: its kept text, if there is one. `jsonPartsOf` also finds those of values in it. */
export const jsonOf = (value: JsonValue): string =>
  (typeof value === 'object' && value !== null ? texts.get(value) : undefined) ??
  JSON.stringify(value)

/** Depth of containers that are written in parts: the result of a step has those of its items, which may be in an object each. */
const DEPTH = 3
/** Characters of a text that are written at once, in up to 4 ms. */
const TEXT_PART = 524_288

/** Yields the JSON of a value in parts. A value in it that has a kept text is one part. */
export const jsonPartsOf = function* (value: JsonValue, depth = DEPTH): Generator<string> {
  if (typeof value === 'string' && value.length > TEXT_PART) {
    yield '"'
    yield* jsonParts(value, TEXT_PART)
    yield '"'
  } else if (depth === 0 || typeof value !== 'object' || value === null || texts.has(value)) {
    yield jsonOf(value)
  } else if (Array.isArray(value)) {
    yield '['
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ','
      yield* jsonPartsOf(item, depth - 1)
    }
    yield ']'
  } else {
    yield '{'
    for (const [index, [key, item]] of Object.entries(value).entries()) {
      yield `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`
      yield* jsonPartsOf(item, depth - 1)
    }
    yield '}'
  }
}

/** Returns an object with these fields, which is written in this order. JavaScript puts keys that are whole numbers first. */
export const orderedObject = (fields: readonly (readonly [string, JsonValue])[]): JsonValue => {
  const object = Object.fromEntries(fields)
  const isInOrder = Object.keys(object).every((key, index) => key === fields[index]?.[0])
  if (!isInOrder) {
    const written = fields.map(([key, value]) => `${JSON.stringify(key)}:${jsonOf(value)}`)
    keepText(object, `{${written.join(',')}}`)
  }
  return object
}
