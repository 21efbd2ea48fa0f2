import { expect, test } from 'vitest'
import { readDefinition } from './definition.ts'
import { startSchema } from './start-schema.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */

const SCHEMAS = new Map<string, unknown>([
  [
    'find',
    {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', title: 'Order' }, note: { type: 'string' } },
    },
  ],
])

const schemaOf = (...steps: readonly object[]) =>
  startSchema(readDefinition(JSON.parse(JSON.stringify({ steps }))), SCHEMAS)

test('a first step without an input makes its action’s schema the flow’s', () => {
  expect(schemaOf({ key: 'look', action: 'find' })).toEqual({
    type: 'object',
    properties: { id: { type: 'integer', title: 'Order' }, note: { type: 'string' } },
    required: ['id'],
  })
})

test('a first step that is given the whole input makes its action’s schema the flow’s', () => {
  const schema = schemaOf({ key: 'look', action: 'find', input: '${input}' })
  expect(schema).toMatchObject({ required: ['id'] })
  expect(schemaOf({ key: 'look', action: 'find', input: 'of ${input}' })).toBeNull()
})

test('references name the properties, and take the type of what they are given to', () => {
  const schema = schemaOf(
    { key: 'look', action: 'find', input: { id: '${input.order}', note: 'by ${input.name}!' } },
    { key: 'each', kind: 'forloop', items: '${input["my list"]}', action: 'other' },
  )
  expect(schema).toEqual({
    type: 'object',
    properties: {
      order: { type: 'integer', title: 'Order' },
      name: { type: 'string' },
      'my list': { type: 'array' },
    },
    required: ['order', 'name', 'my list'],
  })
})

test('an input that only a condition reads is an optional field', () => {
  const schema = schemaOf({
    key: 'look',
    action: 'other',
    input: {},
    skipIf: 'input.vip == true && results.input.x > 1',
  })
  expect(schema).toEqual({ type: 'object', properties: { vip: {} }, required: [] })
})

test('an escaped reference is a text, and a flow without references has no form', () => {
  expect(schemaOf({ key: 'look', action: 'other', input: '$${input.a}' })).toBeNull()
  expect(schemaOf({ key: 'look', action: 'other' })).toBeNull()
  expect(schemaOf()).toBeNull()
})

test('references of later steps are added to the first action’s own properties', () => {
  const schema = schemaOf(
    { key: 'look', action: 'find' },
    { key: 'more', action: 'other', input: { a: '${input.extra.deep}' } },
  )
  expect(schema).toMatchObject({ required: ['id', 'extra'] })
})

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */

test('the inputSchema of the flow comes before all that steps tell', () => {
  const inputSchema = { type: 'object', properties: { to: { type: 'string' } } }
  const definition = readDefinition({ inputSchema, steps: [{ key: 'look', action: 'find' }] })
  expect(startSchema(definition, SCHEMAS)).toEqual(inputSchema)
})
