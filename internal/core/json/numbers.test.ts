import { expect, it } from 'vitest'
import { hasInfiniteNumber } from './numbers.ts'

it.each([
  ['1e999', true],
  ['-1E+309', true],
  ['[1, {"a": 9e308}]', true],
  [`[${'9'.repeat(310)}.5]`, true],
  ['[1.7976931348623157e308, -1e308, 0e999, 1e-999, 2.5]', false],
  [`[${'9'.repeat(308)}, 0.${'0'.repeat(400)}1]`, false],
  ['{"1e999": "\\"1e999", "b": "\\\\"}', false],
  ['[true, false, null]', false],
])('finds whether a number is too large for a double: %s', (text, isInfinite) => {
  expect(hasInfiniteNumber(text)).toBe(isInfinite)
  expect(hasInfiniteNumber(JSON.stringify(text))).toBe(false)
})
