/** Fields of a public link, proposed from what a flow's start input may hold; and what is sent of them. Pure. */
import { type SchemaField, schemaFields } from '../form/schema-field.ts'
import type { FormField } from './definition.ts'

/** As it is typed: options a line each. */
export type FieldDraft = Readonly<{
  key: string
  label: string
  type: FormField['type']
  required: boolean
  options: string
}>

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
    // a form of one field each has no room for these
    case 'group':
    case 'json':
      return null
  }
}

/** The fields that a form can have; the author of the link adds the rest. */
export const proposedFields = (schema: unknown): readonly FieldDraft[] =>
  schemaFields(schema).flatMap((field) => {
    const type = typeOf(field)
    if (type === null) return []
    const options = field.options.filter((option) => typeof option === 'string').join('\n')
    return [{ key: field.name, label: field.label, type, required: field.isRequired, options }]
  })

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A field without a label is called by its key. */
export const toFormField = ({ key, label, type, required, options }: FieldDraft): FormField => ({
  key: key.trim(),
  label: label.trim() === '' ? key.trim() : label.trim(),
  type,
  required,
  ...(type === 'select' ? { options: lines(options) } : {}),
})

/** Whether it can be sent. */
export const isWhole = (field: FieldDraft): boolean =>
  field.key.trim() !== '' && (field.type !== 'select' || lines(field.options).length > 0)
