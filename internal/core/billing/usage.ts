/** Sums up what customers used per day, from the records of ended jobs. Pure. */
import type { TerminalStatus } from '../job/transitions.ts'
import { limit } from '../limit.ts'
import { LAST_TIME } from '../rfc3339.ts'
import { DAY_MS } from '../time-units.ts'

/** Returns the start of a day in UTC, so that an invoice does not depend on who reads it. */
const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS

export type UsagePeriod = Readonly<{
  /** Milliseconds since 1970 at which days begin; `to` is exclusive. */
  from: number
  to: number
}>

const DEFAULT_DAYS = 30
export const MAX_USAGE_DAYS = limit(
  'workspace.usage_days',
  366,
  'days',
  'Period of `GET /usage`; a longer one is refused with 400 `bad_period`.',
)

/**
 * Widens a period to whole days.
 * @param since milliseconds; null for 30 days up to `until`
 * @param until milliseconds; null for the present
 * @returns null if it has no day, or more than MAX_USAGE_DAYS, or ends after LAST_TIME
 */
export const usagePeriod = (
  now: number,
  { since, until }: Readonly<{ since: number | null; until: number | null }>,
): UsagePeriod | null => {
  const to = startOfDay(until ?? now) + DAY_MS
  const from = since === null ? to - DEFAULT_DAYS * DAY_MS : startOfDay(since)
  const days = (to - from) / DAY_MS
  return days < 1 || days > MAX_USAGE_DAYS || to > LAST_TIME ? null : { from, to }
}

/** Jobs of one day that ended in one way. A day may occur several times. */
export type DayCount = Readonly<{
  /** Days since 1970. */
  day: number
  outcome: TerminalStatus
  count: number
  durationMs: number
}>

export type Usage = Readonly<{
  runs: number
  failures: number
  canceled: number
  durationMs: number
}>

export type DayUsage = Usage & Readonly<{ date: string }>

const NONE: Usage = { runs: 0, failures: 0, canceled: 0, durationMs: 0 }

const add = (usage: Usage, { outcome, count, durationMs }: DayCount): Usage => ({
  runs: usage.runs + count,
  failures: usage.failures + (outcome === 'failure' ? count : 0),
  canceled: usage.canceled + (outcome === 'canceled' ? count : 0),
  durationMs: usage.durationMs + durationMs,
})

/** Adds counts up: per day with usage, oldest first, and in total. */
export const usageByDay = (
  counts: readonly DayCount[],
): Readonly<{ total: Usage; days: readonly DayUsage[] }> => {
  const byDay = new Map<number, Usage>()
  for (const count of counts) byDay.set(count.day, add(byDay.get(count.day) ?? NONE, count))
  return {
    total: counts.reduce(add, NONE),
    days: [...byDay]
      .toSorted(([one], [other]) => one - other)
      .map(([day, usage]) => ({
        date: new Date(day * DAY_MS).toISOString().slice(0, 10),
        ...usage,
      })),
  }
}
