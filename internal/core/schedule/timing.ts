/**
 * When a schedule fires [schedules 3, 4]. Times are milliseconds since 1970; the clock is an argument.
 *
 * Daylight saving works as in Vixie cron. If hour and minute are fixed, a fire time that the clock skips fires once right after
 * the gap, and one that occurs twice fires the first time. If one of them contains `*` or a step, real time counts: every fire
 * time that the clock shows, also in a repeated hour.
 */

import { Cron } from 'croner'
import { limit } from '../limit.ts'
import { HOUR_MS } from '../time-units.ts'
import { parseGoDuration } from './go-duration.ts'
import { isTimeZone, offsetAt, transitionBetween, zoneMeantBy } from './time-zone.ts'

export type Timing =
  | Readonly<{ kind: 'every'; everyMs: number }>
  | Readonly<{ kind: 'cron'; pattern: string; zone: string; isFixed: boolean }>

export type TimingFault = Readonly<{ path: 'cron' | 'timezone'; message: string }>

export type ParsedTiming =
  | Readonly<{ timing: Timing; fault: null }>
  | Readonly<{ timing: null; fault: TimingFault }>

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

export const MAX_CRON_LENGTH = limit(
  'schedule.cron',
  256,
  'characters',
  'Cron expression of a schedule.',
)
const SHORTEST_MS = 1_000
/** A hundred years. */
const LONGEST_MS = 3_155_760_000_000

const wrong = (path: TimingFault['path'], message: string): ParsedTiming => ({
  timing: null,
  fault: { path, message },
})

export const parseTiming = (cron: string, zone: string): ParsedTiming => {
  if (!isTimeZone(zone)) {
    const meant = zoneMeantBy(zone) ?? 'an IANA name such as Asia/Seoul'
    return wrong('timezone', `"${zone.slice(0, 64)}" is not a known time zone. Use ${meant}`)
  }
  const text = cron.trim()
  if (text.length > MAX_CRON_LENGTH)
    return wrong('cron', `must have at most ${MAX_CRON_LENGTH} characters`)
  if (text.startsWith('@every ')) return parseEvery(text.slice('@every '.length).trim())
  if (text.startsWith('@')) {
    const pattern = DESCRIPTORS[text]
    return pattern === undefined
      ? wrong('cron', `knows ${Object.keys(DESCRIPTORS).join(', ')} and @every <duration>`)
      : parsePattern(pattern, zone)
  }
  return parsePattern(text.split(/\s+/).join(' '), zone)
}

const parseEvery = (text: string): ParsedTiming => {
  const everyMs = parseGoDuration(text)
  if (everyMs === null) return wrong('cron', 'wants a duration after @every: 30s, 5m, 1h30m')
  if (everyMs < SHORTEST_MS) return wrong('cron', 'fires every second at most: @every 1s')
  if (everyMs > LONGEST_MS) return wrong('cron', 'fires every hundred years at least')
  return { timing: { kind: 'every', everyMs: Math.round(everyMs) }, fault: null }
}

const FORM = 'minute, hour, day of month, month, day of week, as in "30 9 * * 1-5"'

const RANGES: Readonly<Record<string, string>> = {
  minute: 'a minute is 0 to 59',
  hour: 'an hour is 0 to 23',
  day: 'a day of month is 1 to 31',
  month: 'a month is 1 to 12',
  dayOfWeek: 'a day of week is 0 to 7',
}

const reasonOf = (error: unknown): string => {
  const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : ''
  const [, field = ''] = /^Invalid value for (\w+):/.exec(reason) ?? []
  // croner counts days and months from 0 here, so its message names 12 for the month 13
  return RANGES[field] ?? reason
}

const parsePattern = (pattern: string, zone: string): ParsedTiming => {
  const fields = pattern.split(' ')
  const [minute = '', hour = ''] = fields
  if (fields.length !== 5) {
    const more = fields.length === 6 ? '; seconds are not supported' : ''
    return wrong('cron', `has five fields: ${FORM}${more}`)
  }
  try {
    openPattern(pattern)
  } catch (error) {
    return wrong('cron', `is not understood (${reasonOf(error)}). Fields: ${FORM}`)
  }
  const isFixed = !/[*/?]/.test(minute + hour)
  if (!firesEver(pattern)) {
    return wrong('cron', 'names a day that no year has, so it would never fire')
  }
  return { timing: { kind: 'cron', pattern, zone, isFixed }, fault: null }
}

/** One year of each kind: with and without 29 February, from each day of the week on. */
const YEARS_OF_EACH_KIND = '2000-2027'

/** Without the years, croner searches four centuries, which takes 15 ms. */
const firesEver = (pattern: string): boolean =>
  new Cron(`0 ${pattern} ${YEARS_OF_EACH_KIND}`, { mode: '7-part', timezone: 'UTC' }).nextRun(
    new Date(Date.UTC(1999, 11, 31)),
  ) !== null

/**
 * Returns the first fire time after `after`; null if there are no more. `@every` counts from the last fire, which is `after`.
 */
export const nextFire = (timing: Timing, { after }: Readonly<{ after: number }>): number | null =>
  timing.kind === 'every' ? after + timing.everyMs : openCron(timing)(after)

/** Parses the pattern once for any number of fire times. */
const openCron = ({ pattern, zone, isFixed }: Extract<Timing, { kind: 'cron' }>) => {
  const naive = openPattern(pattern)
  const next = isFixed ? nextFixed : nextReal
  return (after: number): number | null => next(naive, zone, after)
}

/** Returns the next fire time that a clock without a zone shows. Such times are written as if they were UTC. */
type NaiveNext = (after: number) => number | null

/** @throws {Error} croner does not understand the pattern */
const openPattern = (pattern: string): NaiveNext => {
  const cron = new Cron(pattern, { mode: '5-part', timezone: 'UTC' })
  return (after) => cron.nextRun(new Date(after))?.getTime() ?? null
}

/** More than any zone is ahead of or behind another, and less than the time between two changes of one zone. */
const FAR_MS = 26 * HOUR_MS

const nextFixed = (next: NaiveNext, zone: string, after: number): number | null => {
  let shown = next(after + offsetAt(zone, after))
  while (shown !== null) {
    const instant = instantOf(zone, shown)
    // a repeated hour: its fire times have fired the first time
    if (instant > after) return instant
    shown = next(shown)
  }
  return null
}

/** Returns when the clocks of a zone show a time: the first of two instants, or right after the gap if there is none. */
const instantOf = (zone: string, shown: number): number => {
  const [before, after] = [offsetAt(zone, shown - FAR_MS), offsetAt(zone, shown + FAR_MS)]
  if (before === after) return shown - before
  const holds = [before, after].filter((offset) => offsetAt(zone, shown - offset) === offset)
  return holds.length === 0
    ? transitionBetween(zone, shown - FAR_MS, shown + FAR_MS)
    : Math.min(...holds.map((offset) => shown - offset))
}

const nextReal = (next: NaiveNext, zone: string, after: number): number | null => {
  for (let from = after; ; ) {
    const offset = offsetAt(zone, from)
    const shown = next(from + offset)
    if (shown === null) return null
    const instant = shown - offset
    const near = Math.min(instant, from + FAR_MS)
    if (offsetAt(zone, near) !== offset) {
      // the clocks change before: nothing matches until then, so continue with the new offset
      from = transitionBetween(zone, from, near) - 1
      const changed = offsetAt(zone, from + 1)
      const first = next(from + changed)
      if (first === null) return null
      if (first === from + 1 + changed) return from + 1
      from += 1
    } else if (near === instant) {
      return instant
    } else {
      // no offset brings a fire time into the time between
      from = instant - FAR_MS
    }
  }
}

export type FireTimeRange = Readonly<{ first: number; last: number; count: number }>

/**
 * Returns the fire times after one time and up to another, null if there are none; counts at most `most` of them. A late fire
 * of `@every` leaves none out, because the next one counts from it.
 */
export const fireTimesBetween = (
  timing: Timing,
  { after, until, most }: Readonly<{ after: number; until: number; most: number }>,
): FireTimeRange | null => {
  if (timing.kind === 'every') return null
  const nextAfter = openCron(timing)
  const first = nextAfter(after)
  if (first === null || first > until) return null
  let [last, count] = [first, 1]
  while (count < most) {
    const next = nextAfter(last)
    if (next === null || next > until) break
    last = next
    count += 1
  }
  return { first, last, count }
}
