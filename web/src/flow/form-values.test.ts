import { expect, test } from 'vitest'
import type { FormField } from './definition.ts'
import { fieldOfPath, filledIn, missingFields, toSchemaField } from './form-values.ts'

const FORM: readonly FormField[] = [
  { key: 'why', label: 'Why', type: 'textarea', required: true },
  { key: 'sure', label: 'Sure', type: 'boolean', required: true },
  { key: 'day', label: 'Day', type: 'date', required: false },
]

test('a required field is missing until it has a value, and “no” is a value', () => {
  expect(missingFields(FORM, {})).toEqual(['why', 'sure'])
  expect(missingFields(FORM, { why: '', sure: false })).toEqual(['why'])
  expect(missingFields(FORM, { why: 'x', sure: true })).toEqual([])
})

test('empty fields and unknown names are not sent', () => {
  expect(filledIn(FORM, { why: 'x', sure: false, day: '', other: 1 })).toEqual({
    why: 'x',
    sure: false,
  })
})

test('each type is drawn by its own kind of field', () => {
  expect(FORM.map((field) => [toSchemaField(field).kind, toSchemaField(field).inputType])).toEqual([
    ['long_text', 'text'],
    ['boolean', 'text'],
    ['text', 'date'],
  ])
})

test('a fault of the server finds its field', () => {
  expect(fieldOfPath('values.why')).toBe('why')
})
