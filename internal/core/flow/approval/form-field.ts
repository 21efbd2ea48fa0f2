/** A field of a form that a person fills in [flows 9.2]. */
import type { z } from 'zod'
import { type Fault, findDoubles, keysOf } from '../../manifest/fault.ts'
import { key, list, mapping, oneOf, text, yesOrNo } from '../../manifest/fields.ts'

export const FORM_FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'boolean',
  'email',
  'date',
  'select',
] as const

export const formFieldSchema = mapping({
  key,
  label: text(200),
  type: oneOf(FORM_FIELD_TYPES),
  required: yesOrNo.default(false),
  options: list(text(200), 200).optional(),
}).refine(({ type, options }) => (type === 'select') === (options !== undefined), {
  error: 'needs `options` when its type is select, and only then',
  path: ['options'],
})

export type FormField = Readonly<z.infer<typeof formFieldSchema>>

/** Finds the faults of a new form. The shape does not refuse them, because it also reads forms that were stored before. */
export const findFormFaults = (form: readonly FormField[]): readonly Fault[] => [
  ...findDoubles(keysOf(form), []),
  ...form.flatMap(({ options }, index) =>
    options?.length === 0
      ? [{ path: [index, 'options'], message: 'must have at least one item' }]
      : [],
  ),
]
