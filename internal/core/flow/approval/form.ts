/**
 * Forms that people fill in, for approval steps and public links [flows 9.2]. The form of a page sends only texts; `readForm`
 * turns them into the values that JSON would have.
 */

import { isEmail } from '../../access/email.ts'
import type { ErrorDetail } from '../../error.ts'
import type { JsonObject, JsonValue } from '../../json/value.ts'
import { limit } from '../../limit.ts'
import { isDate } from '../../rfc3339.ts'
import type { FormField } from './form-field.ts'

const MAX_TEXT = limit(
  'flow.form_text',
  65_536,
  'characters',
  'Text in a field of an approval form.',
)
/** Unknown fields that the refusal names. */
const MAX_UNKNOWN = 100
const NO_FIELD = 'is not a field of this form'
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

const textFault = (value: JsonValue): string | null => {
  if (typeof value !== 'string') return 'must be text'
  return value.length > MAX_TEXT ? `must have at most ${MAX_TEXT} characters` : null
}

const faultOf = ({ type, options = [] }: FormField, value: JsonValue): string | null => {
  switch (type) {
    case 'number':
      return Number.isFinite(value) ? null : 'must be a number'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'email':
      return typeof value === 'string' && isEmail(value) ? null : 'must be an e-mail address'
    case 'date':
      return typeof value === 'string' && isDate(value) ? null : 'must be a date, 2026-01-31'
    case 'select':
      return typeof value === 'string' && options.includes(value)
        ? null
        : `must be one of ${options.join(', ')}`
    case 'text':
    case 'textarea':
      return textFault(value)
  }
}

/** Whether the field was left empty. */
const isBlank = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === ''

export type CheckedForm =
  | Readonly<{ values: JsonObject; faults: null }>
  | Readonly<{ values: null; faults: readonly ErrorDetail[] }>

/**
 * Returns the values in the order of the form, without fields that were left empty. An approval without a form takes no values.
 */
export const checkForm = (form: readonly FormField[], values: JsonObject): CheckedForm => {
  const unknown = form.length === 0 ? 'is not expected: this step has no form' : NO_FIELD
  const faults: ErrorDetail[] = Object.keys(values)
    .filter((key) => !form.some((field) => field.key === key))
    .slice(0, MAX_UNKNOWN)
    .map((key) => ({ path: `values.${key}`, message: unknown }))
  const entries: [string, JsonValue][] = []
  for (const field of form) {
    const value = Object.hasOwn(values, field.key) ? values[field.key] : undefined
    if (value === undefined || isBlank(value)) {
      if (field.required) faults.push({ path: `values.${field.key}`, message: 'must be filled in' })
      continue
    }
    const fault = faultOf(field, value)
    if (fault === null) entries.push([field.key, value])
    else faults.push({ path: `values.${field.key}`, message: fault })
  }
  return faults.length > 0
    ? { values: null, faults }
    : { values: Object.fromEntries(entries), faults: null }
}

/** A browser sends `on` for a box without a value. Any other text stays as it is, to be refused. */
const ticked = (text = ''): JsonValue => {
  if (text === 'true' || text === 'on') return true
  return text === '' || text === 'false' ? false : text
}

/**
 * Reads the fields of a page's form. A browser does not send an unticked box, so a missing one is false. Fields that the form
 * lacks stay, because `checkForm` refuses them.
 */
export const readForm = (
  form: readonly FormField[],
  sent: ReadonlyMap<string, string>,
): JsonObject =>
  Object.fromEntries([
    ...sent,
    ...form.map(({ key, type }): readonly [string, JsonValue] => {
      const text = sent.get(key)
      if (type === 'boolean') return [key, ticked(text)]
      return [
        key,
        type === 'number' && NUMBER.test(text?.trim() ?? '') ? Number(text) : (text ?? ''),
      ]
    }),
  ])
