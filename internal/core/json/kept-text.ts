/** Texts of values that are written otherwise than `JSON.stringify` would write them. They last as long as the values. */
import type { JsonValue } from './value.ts'

const texts = new WeakMap<object, string>()

/** @param text JSON of the value */
export const keepText = (value: object, text: string): void => {
  texts.set(value, text)
}

/** Returns the JSON of a value: its kept text, if there is one. A value that contains it is written without it. */
export const jsonOf = (value: JsonValue): string =>
  (typeof value === 'object' && value !== null ? texts.get(value) : undefined) ??
  JSON.stringify(value)

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
