import { expect, test } from 'vitest'
import { readTyped, typedText } from './typed-value.ts'

test.each([
  ['number', '', undefined, true],
  ['number', ' 12 ', 12, true],
  ['number', '1.5e3', 1_500, true],
  ['number', '1,000', '1,000', false],
  ['number', '1e999', '1e999', false],
  ['json', '', undefined, true],
  ['json', '[1, 2]', [1, 2], true],
  ['json', '[1, 2', '[1, 2', false],
  ['json', 'hello', 'hello', false],
  ['json', '[-1e999]', '[-1e999]', false],
] as const)('a field for a %s with %j has the value %j', (kind, text, value, isValid) => {
  expect(readTyped(kind, text)).toEqual({ value, isValid })
})

test.each([
  ['number', undefined, ''],
  ['number', 1_000, '1000'],
  ['number', '1,000', '1,000'],
  ['json', [1, 2], '[1,2]'],
  ['json', 'hello', '"hello"'],
] as const)('a field for a %s shows %j as %j', (kind, value, text) => {
  expect(typedText(kind, value)).toBe(text)
})
