import { expect, test } from 'vitest'
import { clockSkewMs, watchClock } from './clock-watch.ts'

test.each([
  ['the same', { askedAt: 10_000, answeredAt: 10_010, databaseAt: 10_005 }, 0],
  ['a little ahead', { askedAt: 11_500, answeredAt: 11_510, databaseAt: 10_000 }, 0],
  ['ahead', { askedAt: 13_000, answeredAt: 13_010, databaseAt: 10_000 }, 3_000],
  ['behind', { askedAt: 10_000, answeredAt: 10_010, databaseAt: 20_000 }, -9_990],
  ['a slow answer', { askedAt: 10_000, answeredAt: 19_000, databaseAt: 18_000 }, 0],
])('a clock that is %s', (_, reading, skew) => {
  expect(clockSkewMs(reading)).toBe(skew)
})

test('it is reported once, and again when it comes back', () => {
  const said: string[] = []
  const log = {
    debug: () => undefined,
    info: () => undefined,
    error: () => undefined,
    warn: (text: string) => void said.push(text),
  }
  const clock = watchClock(log)
  const ahead = { askedAt: 70_000, answeredAt: 70_001, databaseAt: 10_000 }
  const right = { askedAt: 10_000, answeredAt: 10_001, databaseAt: 10_000 }
  for (const reading of [right, ahead, ahead, right, ahead]) clock.compare(reading)
  expect(said).toHaveLength(2)
  expect(said[0]).toContain('60 s ahead of the database')
  expect(said[0]).toMatch(/webhooks and tokens of OpenID Connect do not\. Set the clock/)
})
