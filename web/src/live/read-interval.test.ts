import { expect, test, vi } from 'vitest'
import { lessOften, readInterval } from './read-interval.ts'

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

test('a query without data or with a bare value keeps its interval', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const next = lessOften(3_000)
    const same = { items: [] }
    const readAll = () => [undefined, null, 7, same].map((data) => next({ state: { data } }))
    expect(readAll()).toEqual([3_000, 3_000, 3_000, 3_000])
    vi.advanceTimersByTime(30_000)
    expect(readAll()).toEqual([3_000, 3_000, 3_000, 10_000])
  } finally {
    vi.useRealTimers()
  }
})
