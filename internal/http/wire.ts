/**
 * Converts between the program's values and the wire, by schema [wire 2]: `createdAt` in milliseconds is `created_at` in RFC
 * 3339. A schema has the names of the wire. A handler answers with program values, often a row as it was read. Only fields of
 * the schema are written, so a row never exposes a column that the schema does not name.
 */

import { JsonText, joinFields, joinItems } from '#core/json/text.ts'
import type { JsonObject } from '#core/json/value.ts'
import { toTimestamp } from './schemas/time.ts'
import { z } from './schemas/z.ts'

/** A time: RFC 3339 in UTC with milliseconds on the wire, milliseconds since 1970 within the program. */
export const time = z.codec(z.iso.datetime(), z.number(), {
  decode: (text) => Date.parse(text),
  encode: toTimestamp,
})

/** An enum on the wire; within the program a text, which the database has checked. */
export const storedEnum = <const Words extends readonly string[]>(words: Words) => {
  const shape = z.enum(words)
  return z.codec(shape, z.string(), {
    decode: (word) => word,
    encode: (text) => shape.parse(text),
  })
}

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

type OptionalName<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodOptional ? Name : never
}[keyof Shape]

type Fields<Shape> = {
  readonly [Name in Exclude<keyof Shape, OptionalName<Shape>> & string as Camel<Name>]: Value<
    Shape[Name]
  >
} & {
  // null is omitted as well
  readonly [Name in OptionalName<Shape> & string as Camel<Name>]?: Value<Shape[Name]>
}

/** What a handler returns for a schema: camelCase names, times in milliseconds, the rest as on the wire. */
export type Value<Schema> =
  Schema extends z.ZodCodec<z.ZodType, infer Inner>
    ? z.output<Inner>
    : Schema extends z.ZodNullable<infer Inner>
      ? Value<Inner> | null
      : Schema extends z.ZodOptional<infer Inner>
        ? Value<Inner> | null | undefined
        : Schema extends z.ZodArray<infer Item>
          ? readonly Value<Item>[] | JsonText
          : Schema extends z.ZodRecord<infer _, infer Item>
            ? Readonly<Record<string, Value<Item>>> | JsonText
            : Schema extends z.ZodObject<infer Shape, z.core.$strip | z.core.$strict>
              ? Fields<Shape>
              : Schema extends z.ZodType
                ? z.output<Schema> | StoredText<z.output<Schema>>
                : never

/** Any JSON, or any object, may be the text that is stored. */
type StoredText<Output> = JsonObject extends Output ? JsonText : never

type ToWire = (value: unknown) => unknown

/** Cache: one serializer per schema. */
const known = new WeakMap<z.ZodType, ToWire>()

/** @returns a function that converts values of the schema to wire form, ready for `jsonTextOf` */
export const toWire = (schema: z.ZodType): ToWire => {
  const made = known.get(schema) ?? createToWire(schema)
  known.set(schema, made)
  return made
}

const same: ToWire = (value) => value

const isText = (value: unknown): boolean => value instanceof JsonText

const createToWire = (schema: z.ZodType): ToWire => {
  if (schema instanceof z.ZodCodec) return (value) => z.encode(schema, value)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return orNull(toWire(innerOf(schema)))
  }
  if (schema instanceof z.ZodArray) return eachItem(toWire(asType(schema.element)))
  if (schema instanceof z.ZodRecord) return eachEntry(toWire(asType(schema.valueType)))
  // a loose object holds fields that an author chose, so their names stay as they are
  if (schema instanceof z.ZodObject && !(schema.def.catchall instanceof z.ZodUnknown)) {
    return eachField(schema.shape)
  }
  return same
}

const asType = (schema: z.core.$ZodType): z.ZodType => {
  if (schema instanceof z.ZodType) return schema
  throw new Error('A schema of another zod.')
}

const innerOf = (schema: z.ZodNullable | z.ZodOptional): z.ZodType => asType(schema.unwrap())

const orNull = (inner: ToWire): ToWire =>
  inner === same ? same : (value) => (value === null || value === undefined ? value : inner(value))

const eachItem = (item: ToWire): ToWire =>
  item === same
    ? same
    : (value) => {
        if (!Array.isArray(value)) return value
        const items = value.map(item)
        return items.some(isText) ? joinItems(items) : items
      }

const eachEntry = (entry: ToWire): ToWire =>
  entry === same
    ? same
    : (value) =>
        isText(value)
          ? value
          : Object.fromEntries(
              Object.entries(Object(value)).map(([key, each]) => [key, entry(each)]),
            )

const toCamel = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const eachField = (shape: Readonly<Record<string, z.core.$ZodType>>): ToWire => {
  const fields = Object.entries(shape).map(([name, given]) => {
    const schema = asType(given)
    const omitsNull = schema instanceof z.ZodOptional && !(innerOf(schema) instanceof z.ZodNullable)
    return { name, from: toCamel(name), write: toWire(schema), omitsNull }
  })
  return (value) => {
    const source: Readonly<Record<string, unknown>> = Object(value)
    const wire: Record<string, unknown> = {}
    let hasText = false
    for (const { name, from, write, omitsNull } of fields) {
      const field = source[from]
      if (field === undefined || (omitsNull && field === null)) continue
      const written = write(field)
      wire[name] = written
      hasText ||= isText(written)
    }
    return hasText ? joinFields(wire) : wire
  }
}
