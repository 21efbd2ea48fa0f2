import { expect, test } from 'vitest'
import { z } from 'zod'
import { explainIssue } from './explain-issue.ts'

const explain = (schema: z.ZodType, value?: unknown): string | undefined =>
  schema.safeParse(value, { error: explainIssue }).error?.issues[0]?.message

test.each([
  [z.string(), undefined, 'is missing'],
  [z.enum(['a', 'b']), undefined, 'is missing'],
  [z.union([z.string(), z.number()]), undefined, 'is missing'],
  [z.string(), 5, 'must be a string'],
  [z.number(), '5', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.object({}), [], 'must be an object'],
  [z.record(z.string(), z.string()), [], 'must be an object'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.array(z.string()).min(2), [], 'must have at least 2 items'],
  [z.int().min(10), 3, 'must be at least 10'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.number().max(5), 6, 'must be at most 5'],
  [z.number().multipleOf(2), 3, 'must be a multiple of 2'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.literal('a'), 'c', 'must be a'],
  [z.uuid(), 'c', 'must be a UUID'],
  [z.string().regex(/^a+$/), 'c', 'must match /^a+$/'],
  [z.union([z.string(), z.number()]), true, 'has none of the allowed forms'],
  [z.discriminatedUnion('k', [z.object({ k: z.literal('a') })]), { k: 'c' }, 'must be one of a'],
  [z.string().refine(() => false), 'c', 'is not valid'],
])('the fault of schema %# is explained', (schema, value, message) => {
  expect(explain(schema, value)).toBe(message)
})

test('a message of the schema takes precedence', () => {
  expect(explain(z.string('must be a name'), 5)).toBe('must be a name')
})
