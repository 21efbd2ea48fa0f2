import { expect, test } from 'vitest'
import { readInterval } from './read-interval.ts'

test('a list that does not change for half a minute is read less often, until it changes', () => {
  const same = {}
  expect(readInterval(2_000, undefined, 0)).toBe(2_000)
  expect([0, 2_000, 29_999, 30_000, 90_000].map((now) => readInterval(2_000, same, now))).toEqual([
    2_000, 2_000, 2_000, 10_000, 10_000,
  ])
  expect(readInterval(2_000, {}, 92_000)).toBe(2_000)
})

test('a list that is read rarely in any case is not read more often', () => {
  const same = {}
  readInterval(15_000, same, 0)
  expect(readInterval(15_000, same, 60_000)).toBe(15_000)
})
