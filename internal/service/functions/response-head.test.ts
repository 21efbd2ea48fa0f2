import { expect, test } from 'vitest'
import { head, readResponse, toHeaders } from './response-head.ts'

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

test.each([
  [{ status: 1000, headers: [] }, 'has the status 1000; it must be 200 to 599'],
  [{ status: null, headers: [] }, 'has the status null'],
  [{ status: 'x'.repeat(300), headers: [] }, `has the status "${'x'.repeat(99)}…`],
  [
    {
      status: 200,
      headers: [
        ['a', 'b'],
        ['x name', 'a'],
      ],
    },
    'has a header with the name "x name"',
  ],
  [{ status: 200, headers: [['x-name', '한글']] }, 'has a value of the header "x-name"'],
  [
    { status: 200, headers: Array.from({ length: 201 }, () => ['a', 'b']) },
    'has more than 200 headers',
  ],
  [
    { status: 200, headers: Array.from({ length: 201 }, () => 'a') },
    'returned no valid HTTP response',
  ],
  [{ status: 200 }, 'returned no valid HTTP response'],
  [[], 'returned no valid HTTP response'],
])('the fault of the response %j is named', (response, fault) => {
  const read = readResponse(JSON.stringify(response), head)
  expect(read.fault).toContain(fault)
  expect(read.fault).not.toContain('한글')
})

test.each(['Connection', 'Transfer-Encoding', 'Content-Length', 'Trailer', 'Upgrade'])(
  'a function does not set %s, for which node:http would end the connection',
  (name) => {
    const headers = toHeaders({
      status: 200,
      headers: [
        [name, '1'],
        ['x-a', 'b'],
      ],
    })
    expect([...headers]).toEqual([['x-a', 'b']])
  },
)
