import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = Date.parse('2026-11-22T12:00:00.000Z')

test.each([
  [null, null],
  ['2026-11-22T12:00:00.000Z', 'in 0 seconds'],
  ['2026-11-22T11:59:58.000Z', '2 seconds ago'],
  ['2026-11-22T11:57:01.000Z', '2 minutes ago'],
  ['2026-11-22T15:30:00.000Z', 'in 3 hours'],
  ['2026-11-20T12:00:00.000Z', '2 days ago'],
  ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
])('%s reads %s', (at, text) => {
  expect(relativeTime(at, now)).toBe(text)
})
