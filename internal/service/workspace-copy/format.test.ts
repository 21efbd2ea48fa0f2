import { expect, test } from 'vitest'
import { parseLine } from './format.ts'

test.each([
  ['lists in lists', '['.repeat(20_000)],
  ['empty objects', `[${'{},'.repeat(20_000)}{}]`],
  ['numbers', `[${'0,'.repeat(20_000)}0]`],
])('a line of a forged file with many %s is refused before it is parsed', (_, line) => {
  expect(() => parseLine(line)).toThrow('a line has too many values')
})

test('a line with a long text of brackets and commas is read', () => {
  const text = '[{,'.repeat(20_000)
  expect(parseLine(JSON.stringify([text, { b64: 'AA==' }, null]))).toEqual([
    text,
    { b64: 'AA==' },
    null,
  ])
})
