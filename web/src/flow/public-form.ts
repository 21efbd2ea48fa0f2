/** Proposes fields of a public link from a flow's start input, and converts them for the API. Pure. */
import { type SchemaField, schemaFields } from '../form/schema-field.ts'
import { parseJson } from '../form/schema-form.tsx'
import { isObject } from '../ui/json-object.ts'
import { FIELD_TYPES, type FormField } from './definition.ts'

/** A field as typed, with one option per line. */
export type FieldDraft = Readonly<{
  key: string
  label: string
  type: FormField['type']
  required: boolean
  options: string
}>

/** A field with a number, so that a row keeps its text when another row is removed. */
export type NumberedField = FieldDraft & Readonly<{ id: number }>

/** Reads fields that were kept as JSON. Those that are none are left out. */
export const readNumberedFields = (json: string): readonly NumberedField[] => {
  const rows = parseJson(json)
  return (Array.isArray(rows) ? rows : []).flatMap((row) => {
    if (!isObject(row)) return []
    const { id, key, label, options, required } = row
    const type = FIELD_TYPES.find((known) => known === row.type)
    return typeof id === 'number' &&
      typeof key === 'string' &&
      typeof label === 'string' &&
      typeof options === 'string' &&
      typeof required === 'boolean' &&
      type !== undefined
      ? [{ id, key, label, type, required, options }]
      : []
  })
}

export const newField = (): FieldDraft => ({
  key: '',
  label: '',
  type: 'text',
  required: false,
  options: '',
})

const typeOf = ({ kind, inputType }: SchemaField): FormField['type'] | null => {
  switch (kind) {
    case 'text':
      return inputType === 'email' || inputType === 'date' ? inputType : 'text'
    case 'long_text':
      return 'textarea'
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'choice':
      return 'select'
    // a form with one field per key cannot show these
    case 'group':
    case 'json':
      return null
  }
}

/** The properties that a form can show. The author of the link adds the others. */
export const proposedFields = (schema: unknown): readonly FieldDraft[] =>
  schemaFields(schema).flatMap((field) => {
    const type = typeOf(field)
    if (type === null) return []
    const options = field.options.filter((option) => typeof option === 'string').join('\n')
    return [{ key: field.name, label: field.label, type, required: field.isRequired, options }]
  })

/** Names the required properties that no field asks for, or that may be left empty. A box sends false if it is left empty. */
export const missingFields = (
  schema: unknown,
  fields: readonly FieldDraft[],
): readonly string[] => {
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : []
  return required.filter(
    (name): name is string =>
      typeof name === 'string' &&
      !fields.some(
        (field) => field.key.trim() === name && (field.required || field.type === 'boolean'),
      ),
  )
}

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A field without a label takes its key as label. */
export const toFormField = ({ key, label, type, required, options }: FieldDraft): FormField => ({
  key: key.trim(),
  label: label.trim() === '' ? key.trim() : label.trim(),
  type,
  required,
  ...(type === 'select' ? { options: lines(options) } : {}),
})

/** Whether the field is complete enough to be sent. */
export const isWhole = (field: FieldDraft): boolean =>
  field.key.trim() !== '' && (field.type !== 'select' || lines(field.options).length > 0)
