import { expect, test } from 'vitest'
import { exampleInput } from './example-input.ts'

test.each([
  [null, {}],
  [true, {}],
  [{ type: 'string' }, 'text'],
  [{ type: ['string', 'null'], format: 'email' }, 'ada@example.com'],
  [{ enum: ['a', 'b'] }, 'a'],
  [{ type: 'integer', minimum: 3 }, 3],
  [{ type: 'integer', minimum: 3, default: 7 }, 7],
  [{ type: 'array', items: { type: 'string' } }, ['text']],
  [{ type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
  [{ type: 'array', items: { type: 'string' }, maxItems: 0 }, []],
  [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }] }, ['text', true]],
  [{ anyOf: [{ type: 'array', items: { enum: ['a'] } }, { type: 'null' }] }, ['a']],
  [
    {
      required: ['name', 'address', 'tags'],
      properties: {
        name: { type: 'string' },
        note: { type: 'string' },
        tags: { type: 'array' },
        address: {
          required: ['zip'],
          properties: { zip: { type: 'string', examples: ['04524'] } },
        },
      },
    },
    { name: 'text', tags: [], address: { zip: '04524' } },
  ],
])('an input for %j is %j', (schema, input) => {
  expect(exampleInput(schema)).toEqual(input)
})
