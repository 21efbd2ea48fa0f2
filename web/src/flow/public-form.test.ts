import { expect, test } from 'vitest'
import { isWhole, missingFields, newField, proposedFields, toFormField } from './public-form.ts'

test('a schema proposes a field for each of its properties that a form can ask for', () => {
  const fields = proposedFields({
    type: 'object',
    required: ['name', 'size'],
    properties: {
      name: { type: 'string', title: 'Name' },
      mail: { type: 'string', format: 'email' },
      text: { type: 'string', maxLength: 5_000 },
      count: { type: 'integer' },
      sure: { type: 'boolean' },
      size: { enum: ['S', 'L'] },
      more: { type: 'object', properties: { a: { type: 'string' } } },
      list: { type: 'array' },
    },
  })
  expect(fields.map(({ key, label, type, required }) => [key, label, type, required])).toEqual([
    ['name', 'Name', 'text', true],
    ['mail', 'mail', 'email', false],
    ['text', 'text', 'textarea', false],
    ['count', 'count', 'number', false],
    ['sure', 'sure', 'boolean', false],
    ['size', 'size', 'select', true],
  ])
  expect(fields.at(-1)?.options).toBe('S\nL')
  expect(proposedFields(null)).toEqual([])
})

test('a field is sent with its key for a label, and options only where there is a choice', () => {
  const field = { ...newField(), key: ' size ', options: 'S\n\n L ' }
  expect(toFormField(field)).toEqual({ key: 'size', label: 'size', type: 'text', required: false })
  expect(toFormField({ ...field, type: 'select' }).options).toEqual(['S', 'L'])
})

test('a field needs a key, and a choice something to choose from', () => {
  expect(isWhole(newField())).toBe(false)
  expect(isWhole({ ...newField(), key: 'a' })).toBe(true)
  expect(isWhole({ ...newField(), key: 'a', type: 'select' })).toBe(false)
})

test('required properties that no required field asks for are missing', () => {
  const schema = { type: 'object', required: ['name', 'agree'] }
  const name = { ...newField(), key: 'name' }
  const agree = { ...newField(), key: ' agree ', type: 'boolean' } as const
  expect(missingFields(schema, [])).toEqual(['name', 'agree'])
  expect(missingFields(schema, [name, agree])).toEqual(['name'])
  expect(missingFields(schema, [{ ...name, required: true }, agree])).toEqual([])
  expect(missingFields(null, [])).toEqual([])
})
