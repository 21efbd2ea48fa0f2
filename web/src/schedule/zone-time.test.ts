import { expect, test, vi } from 'vitest'
import { dayInZone, timeInZone } from './zone-time.ts'

test('a fire time of another year has its year, by the time zone of the schedule', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 11, 31, 12) })
  try {
    const shown = { zone: 'Asia/Seoul', language: 'en' } as const
    expect(timeInZone('2026-12-31T14:30:00Z', shown)).toBe('Thu, Dec 31, 23:30')
    expect(timeInZone('2026-12-31T15:30:00Z', shown)).toBe('Fri, Jan 1, 2027, 00:30')
  } finally {
    vi.useRealTimers()
  }
})

test('a time in a zone that the browser does not have is shown in UTC', () => {
  const at = '2020-11-21T23:30:00Z'
  expect(timeInZone(at, { zone: 'Europe/Atlantis', language: 'en' })).toBe(
    'Sat, Nov 21, 2020, 23:30 UTC',
  )
  expect(dayInZone(at, 'Europe/Atlantis')).toBe('2020-11-21')
})
