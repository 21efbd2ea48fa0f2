/** Values that people fill into the form of an approval step or a public link. Pure. */

import type { Json } from '#sdk/mod.ts'
import type { SchemaField } from '../form/schema-field.ts'
import type { FormField } from './definition.ts'

type Values = Readonly<Record<string, Json>>

const KINDS: Readonly<Record<FormField['type'], SchemaField['kind']>> = {
  text: 'text',
  textarea: 'long_text',
  number: 'number',
  boolean: 'boolean',
  email: 'text',
  date: 'text',
  select: 'choice',
}

/** Converts a field to the type that schema forms draw. */
export const toSchemaField = ({
  key,
  label,
  type,
  required,
  options = [],
}: FormField): SchemaField => ({
  name: key,
  label,
  hint: null,
  kind: KINDS[type],
  isRequired: required,
  options,
  fields: [],
  inputType: type === 'email' || type === 'date' ? type : 'text',
  isInteger: false,
  example: null,
})

const isBlank = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === ''

/** Keys of required fields that are empty; the server refuses them too (400). */
export const missingFields = (form: readonly FormField[], values: Values): readonly string[] =>
  form.filter(({ key, required }) => required && isBlank(values[key])).map(({ key }) => key)

/** The values to send, without fields that were left empty. */
export const filledIn = (form: readonly FormField[], values: Values): Record<string, Json> =>
  Object.fromEntries(
    form.flatMap(({ key }) => {
      const value = values[key]
      return value === undefined || isBlank(value) ? [] : [[key, value]]
    }),
  )

/** Converts the path of a field, which the server writes as `values.comment`. */
export const fieldOfPath = (path: string): string => path.replace(/^(body\.)?values\.?/, '')
