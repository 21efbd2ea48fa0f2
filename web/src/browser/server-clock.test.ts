import { expect, test } from 'vitest'
import { aheadAfter } from './server-clock.ts'

const DATE = 'Sat, 28 Nov 2026 00:00:00 GMT'
const AT = Date.parse(DATE)
const HOUR_MS = 3_600_000

const readAt = (known: number, sentAt: number, receivedAt = sentAt + 50): number =>
  aheadAfter(known, { date: DATE, sentAt, receivedAt })

test('a clock that agrees with the server within two seconds is not corrected', () => {
  expect(readAt(0, AT)).toBe(0)
  expect(readAt(0, AT + 2_900)).toBe(0)
  expect(readAt(0, AT - 1_900)).toBe(0)
})

test('a clock that is hours off is corrected to within a second', () => {
  for (const off of [3 * HOUR_MS, -3 * HOUR_MS]) {
    expect(Math.abs(readAt(0, AT + off) + off)).toBeLessThanOrEqual(1_000)
  }
})

test('the difference stays until a response contradicts it, however long the response took', () => {
  expect(readAt(-HOUR_MS, AT + HOUR_MS, AT + HOUR_MS + 60_000)).toBe(-HOUR_MS)
  expect(readAt(-HOUR_MS, AT)).toBe(475)
})

test('a response without a readable time changes nothing', () => {
  for (const date of [null, 'yesterday']) {
    expect(aheadAfter(-HOUR_MS, { date, sentAt: AT, receivedAt: AT })).toBe(-HOUR_MS)
  }
})
