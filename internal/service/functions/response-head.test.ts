import { expect, test } from 'vitest'
import { head, toHeaders } from './response-head.ts'

const made = (value: string) =>
  head.safeParse({ status: 200, headers: [['x-version', value]] }).data ?? null

test.each([
  ['1.2\n', '1.2'],
  ['\r\n\t 1.2 ', '1.2'],
  [' \n', ''],
])('the value %j of a header is sent without the blanks around it', (value, sent) => {
  const found = made(value)
  expect(found === null ? null : toHeaders(found).get('x-version')).toBe(sent)
})

test.each(['a\nb', 'a\u0001b', '한'])('HTTP cannot carry the value %j', (value) => {
  expect(made(value)).toBeNull()
})
