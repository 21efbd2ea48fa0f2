/** The value by which two deliveries count as the same. */
import { z } from 'zod'
import { sourceAt } from '../json/source.ts'
import type { JsonValue } from '../json/value.ts'
import { mapping } from '../manifest/fields.ts'
import { headerName } from './fields.ts'

const bodyPath = z
  .string('must be a path such as data.id')
  .regex(/^[^.\s]{1,100}(?:\.[^.\s]{1,100}){0,9}$/, 'must be a path such as data.id')

/** The field `dedupe` of a webhook. */
export const dedupeSchema = mapping(
  {
    body: bodyPath.optional(),
    header: headerName.optional(),
  },
  '{ body: id }',
).superRefine(({ body, header }, context) => {
  if ((body === undefined) !== (header === undefined)) return
  const message = 'must name where the value is: either body or header'
  context.addIssue({ code: 'custom', message })
})

export type Dedupe = z.output<typeof dedupeSchema>

const stepInto = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/**
 * Returns the value at a path as text. Numbers that JavaScript cannot keep have the text of their digits.
 * @param json what `text` was parsed to
 * @returns null if there is no such text, number or boolean
 */
export const dedupeText = (text: string, json: JsonValue, path: string): string | null => {
  const names = path.split('.')
  const value = names.reduce(stepInto, json)
  switch (typeof value) {
    case 'string':
      return value === '' ? null : value
    case 'boolean':
      return String(value)
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : sourceAt(text, names)
    default:
      return null
  }
}
