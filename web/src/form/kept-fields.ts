/** The fields of a form as one text, which has only those that were changed. Pure. */
import { isObject } from '../ui/json-object.ts'
import { parseJson } from './schema-form.tsx'

type Value = string | boolean | number | null | readonly string[]

export type Fields = Readonly<Record<string, Value>>

export const UNCHANGED = '{}'

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const isAmount = (value: unknown): boolean => value === null || typeof value === 'number'

/** Whether the value has the type of another value of its field. A number may be null. */
const isLike = (value: unknown, other: Value): boolean => {
  if (isList(other)) return isList(value)
  return isAmount(other) ? isAmount(value) : typeof value === typeof other
}

/** Reads the fields. Those that the text lacks or has with another type are taken from `initial`. */
export const readFields = <Form extends Fields>(text: string, initial: Form): Form => {
  const found = parseJson(text)
  if (!isObject(found)) return initial
  const kept = Object.entries(found).filter(([name, value]) => {
    const first = initial[name]
    return first !== undefined && isLike(value, first)
  })
  return { ...initial, ...Object.fromEntries(kept) }
}

/** @returns `UNCHANGED` if all fields are as they were at first */
export const fieldsToText = (fields: Fields, initial: Fields): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(fields).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name]),
      ),
    ),
  )
