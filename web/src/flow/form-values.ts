/** What people fill into the form of an approval step or a public link. Pure. */

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

/** As the forms of schemas draw it. */
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
})

const isBlank = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === ''

/** Keys of required fields that are empty; the server refuses them too (400). */
export const missingFields = (form: readonly FormField[], values: Values): readonly string[] =>
  form.filter(({ key, required }) => required && isBlank(values[key])).map(({ key }) => key)

/** What is sent: what was left open is left out. */
export const filledIn = (form: readonly FormField[], values: Values): Record<string, Json> =>
  Object.fromEntries(
    form.flatMap(({ key }) => {
      const value = values[key]
      return value === undefined || isBlank(value) ? [] : [[key, value]]
    }),
  )

/** The server names a field of an answer `values.comment`. */
export const fieldOfPath = (path: string): string => path.replace(/^(body\.)?values\.?/, '')
