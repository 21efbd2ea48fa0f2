import { expect, test } from 'vitest'
import { daysBetween, lastDays, slotDays } from './slot-days.ts'

const fired = (slot: string) => ({
  slot,
  outcome: 'fired' as const,
  last_slot: null,
  count: 1,
  reason: null,
})
const skipped = (slot: string, last_slot: string | null, count: number) => ({
  slot,
  outcome: 'skipped' as const,
  last_slot,
  count,
  reason: 'svc was away',
})

test('days follow one another over months and leap days', () => {
  expect(daysBetween('2028-02-28', '2028-03-01')).toEqual([
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ])
  expect(lastDays('2026-01-02', 3)).toEqual(['2025-12-31', '2026-01-01', '2026-01-02'])
})

test('a slot belongs to the day that the schedule’s own clock shows', () => {
  const slots = [fired('2026-03-01T20:00:00.000Z'), fired('2026-03-01T10:00:00.000Z')]
  const days = slotDays(slots, ['2026-03-01', '2026-03-02'], 'Asia/Seoul')
  expect(days.map(({ day, fired: count }) => [day, count])).toEqual([
    ['2026-03-01', 1],
    ['2026-03-02', 1],
  ])
})

test('a run of skipped slots shows on each of its days, with why', () => {
  const slots = [skipped('2026-03-01T00:00:00Z', '2026-03-03T00:00:00Z', 49)]
  expect(slotDays(slots, lastDays('2026-03-04', 4), 'UTC')).toEqual([
    { day: '2026-03-01', fired: 0, skipped: 49, reasons: ['svc was away'] },
    { day: '2026-03-02', fired: 0, skipped: 1, reasons: ['svc was away'] },
    { day: '2026-03-03', fired: 0, skipped: 1, reasons: ['svc was away'] },
    { day: '2026-03-04', fired: 0, skipped: 0, reasons: [] },
  ])
})
