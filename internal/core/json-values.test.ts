import { expect, test } from 'vitest'
import { hasMoreValuesThan } from './json-values.ts'

test('the values of a JSON text are counted, with lists and objects, and nothing inside strings', () => {
  const text = JSON.stringify({ a: [1, 2, {}], 'b,[{,': ',,,\\",', c: [[], []] })
  expect(hasMoreValuesThan(text, 11)).toBe(false)
  expect(hasMoreValuesThan(text, 10)).toBe(true)
})
