/** The value by which two deliveries count as the same. */
import { z } from 'zod'
import { mapping } from '../manifest-fields.ts'
import { headerName } from './fields.ts'
import type { Delivery } from './scheme.ts'

const bodyPath = z
  .string('must be a path such as data.id')
  .regex(/^[^.\s]{1,100}(?:\.[^.\s]{1,100}){0,9}$/, 'must be a path such as data.id')

/** The field `dedupe` of a webhook. */
export const dedupeSchema = mapping({
  body: bodyPath.optional(),
  header: headerName.optional(),
}).superRefine(({ body, header }, context) => {
  if ((body === undefined) !== (header === undefined)) return
  const message = 'must name where the value is: either body or header'
  context.addIssue({ code: 'custom', message })
})

export type Dedupe = z.output<typeof dedupeSchema>

const stepInto = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

const valueAt = (value: unknown, path: string): unknown => path.split('.').reduce(stepInto, value)

const source = z.object({ source: z.string() })

/** Keeps numbers as their text, because an id may have more digits than a number can keep. */
const keepDigits = (_: string, value: unknown, ...[context]: readonly unknown[]): unknown =>
  typeof value === 'number' ? (source.safeParse(context).data?.source ?? value) : value

const scalarAt = (text: string, path: string): string | null => {
  const value = valueAt(JSON.parse(text), path)
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
      return String(value)
    case 'number':
      return Number.isSafeInteger(value)
        ? String(value)
        : String(valueAt(JSON.parse(text, keepDigits), path))
    default:
      return null
  }
}

const readBody = (body: Uint8Array, path: string): string | null => {
  try {
    return scalarAt(new TextDecoder().decode(body), path)
  } catch {
    // the body is not JSON, so it contains no value
    return null
  }
}

/** @returns null if the delivery has no such value, so that it counts as new */
export const dedupeValue = (
  { body: path, header }: Dedupe,
  delivery: Pick<Delivery, 'body' | 'header'>,
): string | null => {
  const value = path === undefined ? delivery.header(header ?? '') : readBody(delivery.body, path)
  return value === undefined || value === '' ? null : value
}
