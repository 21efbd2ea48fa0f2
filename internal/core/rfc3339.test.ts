import { expect, test } from 'vitest'
import { parseTime } from './rfc3339.ts'

test.each([
  ['2026-01-31T09:00:00+09:00', Date.UTC(2026, 0, 31)],
  ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ['0000-01-01T00:00:00Z', -62_167_219_200_000],
])('%s is a time', (text, at) => {
  expect(parseTime(text)).toBe(at)
})

test.each([
  'tomorrow',
  '2026-02-30T00:00:00Z',
  '2026-01-31',
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00+12:00',
])('%s is none: a response could not contain it', (text) => {
  expect(parseTime(text)).toBeNull()
})
