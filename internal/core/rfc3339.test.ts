import { expect, test } from 'vitest'
import { parseTime, timeText } from './rfc3339.ts'

test.each([
  ['2026-01-31T09:00:00+09:00', Date.UTC(2026, 0, 31)],
  ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ['2026-01-31t09:00:00.1234567z', Date.UTC(2026, 0, 31, 9, 0, 0, 123)],
  ['2026-01-31T09:00:00-00:00', Date.UTC(2026, 0, 31, 9)],
  ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
  ['2015-07-01t08:59:60.5+09:00', Date.UTC(2015, 6, 1, 0, 0, 0, 500)],
  ['0000-01-01T00:00:00Z', -62_167_219_200_000],
])('%s is a time', (text, at) => {
  expect(parseTime(text)).toBe(at)
})

test.each([
  'tomorrow',
  '2026-02-30T00:00:00Z',
  '2026-01-31',
  '2026-01-31T09:00Z',
  '2026-01-31 09:00:00Z',
  '2026-01-31T09:00:00',
  '2026-01-31T09:00:60Z',
  '2016-12-31T23:59:60+09:00',
  '2016-12-31T23:59:61Z',
  '9999-12-31T23:59:60Z',
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00+12:00',
])('%s is none: a response could not contain it', (text) => {
  expect(parseTime(text)).toBeNull()
})

test('a time that is kept as text is spelled as Date reads it', () => {
  expect(timeText.parse('2026-01-31t09:00:00z')).toBe('2026-01-31T09:00:00Z')
})
