import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { jumpBetween, latestUnlessJumped, seeClock, settleMs } from './clock-jump.ts'
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

describe('what a worker has seen of the clock', () => {
  const TOLERANCE = 2_000
  const at = (databaseNow: number, monotonic: number) => ({
    databaseNow,
    before: monotonic,
    after: monotonic + 5,
  })
  const first = seeClock(null, at(1_000_000, 0), TOLERANCE)

  it('lets time pass, also if both clocks differ in speed', () => {
    expect(latestUnlessJumped(first, 86_400_000, TOLERANCE)).toBeGreaterThan(1_000_000 + 86_400_000)
    const later = at(1_000_000 + 86_440_000, 86_400_000)
    expect(seeClock(first, later, TOLERANCE)).toEqual({ ...later, jumpedAt: null })
  })

  it('leaves out a jump forward until a scheduler must have corrected it', () => {
    const jumped = seeClock(first, at(9_000_000, 1_000), TOLERANCE)
    expect(jumped).toEqual({ ...first, jumpedAt: 1_005 })
    expect(latestUnlessJumped(jumped, 2_000, TOLERANCE)).toBe(1_004_002)
    expect(seeClock(jumped, at(9_030_000, 31_000), TOLERANCE)).toEqual(jumped)
    const corrected = at(9_070_000, 71_000)
    expect(seeClock(jumped, corrected, TOLERANCE)).toEqual({ ...corrected, jumpedAt: null })
  })

  it('follows a jump back, which makes nothing late', () => {
    const back = at(5, 1_000)
    expect(seeClock(first, back, TOLERANCE)).toEqual({ ...back, jumpedAt: null })
  })
})
