import { describe, expect, test } from 'vitest'
import {
  asksForSecret,
  isBlank,
  type SchemaField,
  schemaDefaults,
  schemaFields,
} from './schema-field.ts'

const brief = ({ name, kind, isRequired, fields }: SchemaField): string =>
  `${name}${isRequired ? '!' : ''}: ${kind}${fields.length === 0 ? '' : ` (${fields.map(brief).join(', ')})`}`

describe('a form from a JSON Schema', () => {
  test('asks for each property in its own way, and for the rest as JSON', () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        text: { type: 'string', maxLength: 5_000 },
        count: { type: ['integer', 'null'] },
        isLoud: { type: 'boolean' },
        language: { enum: ['en', 'ko', null] },
        tags: { type: 'array', items: { type: 'string' } },
        anything: true,
        customer: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      },
    }
    expect(schemaFields(schema).map(brief)).toEqual([
      'name!: text',
      'text: long_text',
      'count: number',
      'isLoud: boolean',
      'language: choice',
      'tags: json',
      'anything: json',
      'customer: group (id!: text)',
      'either: json',
    ])
  })

  test.each([undefined, null, true, {}, { type: 'array' }, { type: 'string' }])(
    'has no fields for %j',
    (schema) => {
      expect(schemaFields(schema)).toEqual([])
    },
  )

  test('begins with the defaults that the schema gives, also within', () => {
    const schema = {
      properties: {
        a: { default: 1 },
        b: { type: 'string' },
        c: { properties: { d: { default: [true] } } },
      },
    }
    expect(schemaDefaults(schema)).toEqual({ a: 1, c: { d: [true] } })
  })

  test.each([
    [true, { properties: { pin: { type: 'string', format: 'password' } } }],
    [true, { properties: { of: { items: { oneOf: [{}, { format: 'password' }] } } } }],
    [true, { $ref: '#/$defs/pin', $defs: { pin: { format: 'password' } } }],
    [false, { properties: { password: { type: 'string' }, format: { const: 'password' } } }],
    [false, null],
  ])('may ask for a secret: %j for %j', (expected, schema) => {
    expect(asksForSecret(schema)).toBe(expected)
  })

  test('distinguishes a group that is left out from one with values', () => {
    expect([{}, { city: '' }, { at: { city: '' } }].map(isBlank)).toEqual([true, true, true])
    expect([{ city: 'a' }, { count: 0 }, { flag: false }].map(isBlank)).toEqual([
      false,
      false,
      false,
    ])
  })

  test('does not follow a schema that never ends', () => {
    const schema: { properties: Record<string, unknown> } = { properties: {} }
    schema.properties.self = schema
    const depth = ([first]: readonly SchemaField[]): number =>
      first === undefined ? 0 : 1 + depth(first.fields)
    expect(depth(schemaFields(schema))).toBe(5)
  })
})
