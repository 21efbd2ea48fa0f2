import { expect, test } from 'vitest'
import { type DayCount, usageByDay, usagePeriod } from './usage.ts'

const NOON = Date.UTC(2026, 10, 23, 12)
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)

test('a period has whole days: the last 30 unless it is named, at most 366', () => {
  expect(usagePeriod(NOON, { since: null, until: null })).toEqual({
    from: day('2026-10-25'),
    to: day('2026-11-24'),
  })
  expect(usagePeriod(NOON, { since: day('2026-11-02') + 1, until: day('2026-11-02') + 2 })).toEqual(
    { from: day('2026-11-02'), to: day('2026-11-03') },
  )
  expect(usagePeriod(NOON, { since: day('2026-11-25'), until: null })).toBeNull()
  expect(usagePeriod(NOON, { since: day('2025-11-23'), until: null })).not.toBeNull()
  expect(usagePeriod(NOON, { since: day('2025-11-22'), until: null })).toBeNull()
})

test('counts of a day add up, also where it comes in parts', () => {
  const one: DayCount = { day: 1, outcome: 'success', count: 2, durationMs: 30 }
  const counts: readonly DayCount[] = [
    { ...one, day: 3 },
    one,
    { ...one, outcome: 'failure', count: 1 },
    { ...one, outcome: 'canceled', count: 4, durationMs: 0 },
    one,
  ]
  expect(usageByDay(counts)).toEqual({
    total: { runs: 11, failures: 1, canceled: 4, durationMs: 120 },
    days: [
      { date: '1970-01-02', runs: 9, failures: 1, canceled: 4, durationMs: 90 },
      { date: '1970-01-04', runs: 2, failures: 0, canceled: 0, durationMs: 30 },
    ],
  })
  expect(usageByDay([]).days).toEqual([])
})
