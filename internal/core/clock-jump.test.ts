import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jumpBetween, settleMs } from './clock-jump.ts'
import { renewEveryMs } from './job/lease.ts'

const HOUR = 3_600_000
const sample = (databaseNow: number, before: number, after = before) => ({
  databaseNow,
  before,
  after,
})

test.each([HOUR, -HOUR, 24 * HOUR, 5_000, -5_000])('a jump of %i ms is seen', (byMs) => {
  const first = sample(1e12, 1_000, 1_010)
  const second = sample(1e12 + 1_000 + byMs, 2_000, 2_010)
  expect(jumpBetween(first, second, 2_000)).toBe(byMs)
})

test('a pause of this process is none: both clocks went on', () => {
  expect(jumpBetween(sample(1e12, 1_000), sample(1e12 + HOUR, 1_000 + HOUR), 2_000)).toBe(0)
})

test('an answer that took long is none', () => {
  const slow = sample(1e12 + 9_000, 1_000, 10_000)
  expect(jumpBetween(sample(1e12, 0), slow, 0)).toBe(0)
  expect(jumpBetween(slow, sample(1e12 + 11_000, 11_000), 0)).toBe(0)
})

test('whatever the delays, time that passes evenly is not a jump, and a longer jump is found', () => {
  const delay = fc.integer({ min: 0, max: 3_000 })
  const samples = fc.tuple(delay, delay, delay, delay, fc.integer({ min: 0, max: 1e7 }))
  fc.assert(
    fc.property(samples, fc.integer({ min: -1e8, max: 1e8 }), ([a, b, c, d, gap], byMs) => {
      const first = sample(1e12 + a, 0, a + b)
      const start = a + b + gap
      const second = sample(1e12 + start + c + byMs, start, start + c + d)
      const seen = jumpBetween(first, second, 1_000)
      if (byMs === 0) expect(seen).toBe(0)
      if (Math.abs(byMs) > 7_000 + 1_000) expect(Math.sign(seen)).toBe(Math.sign(byMs))
    }),
  )
})

test('a new node waits until every living worker has renewed', () => {
  for (const leaseMs of [500, 3_000, 10_000, 60_000]) {
    expect(settleMs(leaseMs)).toBeGreaterThan(1.5 * renewEveryMs(leaseMs))
    expect(settleMs(leaseMs)).toBeLessThan(leaseMs)
  }
})
