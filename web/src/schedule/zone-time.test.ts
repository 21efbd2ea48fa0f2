import { expect, test, vi } from 'vitest'
import { timeInZone } from './zone-time.ts'

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
