import { expect, test } from 'vitest'
import { rebaseFireTime } from './rebase.ts'
import { parseTiming, type Timing } from './timing.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2026, 0, 1, 12, 0, 30)

const timingOf = (cron: string): Timing => {
  const { timing } = parseTiming(cron, 'UTC')
  if (timing === null) throw new Error(`${cron} is not understood.`)
  return timing
}

test.each([
  // [cron, next fire time from now before the jump, jump, next fire time from now after it]
  ['@every 10m', 4 * MINUTE, HOUR, 4 * MINUTE],
  ['@every 10m', 4 * MINUTE, -HOUR, 4 * MINUTE],
  ['@every 2h', 90 * MINUTE, HOUR, 90 * MINUTE],
  ['@every 2h', 90 * MINUTE, -HOUR, 90 * MINUTE],
])(
  '%s keeps the %i ms that were left when the clock jumps by %i ms',
  (cron, left, jumpMs, kept) => {
    const nextFireAt = NOW - jumpMs + left
    expect(rebaseFireTime(timingOf(cron), { nextFireAt, now: NOW, jumpMs })).toBe(NOW + kept)
  },
)

test('what was computed after the jump stays', () => {
  for (const jumpMs of [HOUR, -HOUR]) {
    const after = { nextFireAt: NOW + 5 * MINUTE, now: NOW, jumpMs }
    expect(rebaseFireTime(timingOf('@every 10m'), after)).toBe(NOW + 5 * MINUTE)
    expect(rebaseFireTime(timingOf('5 * * * *'), { ...after, nextFireAt: NOW + 270_000 })).toBe(
      NOW + 270_000,
    )
  }
})

test('a cron schedule goes on with the first time that the clock shows now', () => {
  const back = { nextFireAt: NOW + HOUR + 30_000, now: NOW, jumpMs: -HOUR }
  expect(rebaseFireTime(timingOf('* * * * *'), back)).toBe(NOW + 30_000)
  // what the clock jumped over is due, and is skipped on record
  const missed = { nextFireAt: NOW - 30 * MINUTE, now: NOW, jumpMs: HOUR }
  expect(rebaseFireTime(timingOf('* * * * *'), missed)).toBe(missed.nextFireAt)
})

test('doing it twice brings no fire time beyond one interval', () => {
  const timing = timingOf('@every 10m')
  for (const jumpMs of [HOUR, -HOUR]) {
    const once = rebaseFireTime(timing, { nextFireAt: NOW - jumpMs, now: NOW, jumpMs })
    const twice = rebaseFireTime(timing, { nextFireAt: once, now: NOW, jumpMs })
    expect(twice - NOW).toBeLessThanOrEqual(10 * MINUTE)
    expect(twice - NOW).toBeGreaterThanOrEqual(0)
  }
})
