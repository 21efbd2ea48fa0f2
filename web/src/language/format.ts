/** Numbers, times and durations in the reader's language and zone. */
import { serverNow } from '../browser/server-clock.ts'
import { type Language, useLanguage } from './language.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './units.ts'

export const LOCALES: Readonly<Record<Language, string>> = { en: 'en', ko: 'ko-KR' }

const cached = <T>(make: (language: Language) => T): ((language: Language) => T) => {
  const made = new Map<Language, T>()
  return (language) => {
    const known = made.get(language)
    if (known !== undefined) return known
    const fresh = make(language)
    made.set(language, fresh)
    return fresh
  }
}

const numbers = cached((language) => new Intl.NumberFormat(LOCALES[language]))
const compactNumbers = cached(
  (language) =>
    new Intl.NumberFormat(LOCALES[language], { notation: 'compact', maximumFractionDigits: 1 }),
)
const exactTimes = cached(
  (language) =>
    new Intl.DateTimeFormat(LOCALES[language], {
      dateStyle: 'medium',
      timeStyle: 'long',
    }),
)
const SHORT = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
const timesOfThisYear = cached((language) => new Intl.DateTimeFormat(LOCALES[language], SHORT))
const timesOfOtherYears = cached(
  (language) => new Intl.DateTimeFormat(LOCALES[language], { ...SHORT, year: 'numeric' }),
)
const daysOfOtherYears = cached(
  (language) =>
    new Intl.DateTimeFormat(LOCALES[language], { year: 'numeric', month: 'short', day: 'numeric' }),
)

/** Without its year, a time of another year would look like one of this year. */
const isOtherYear = (at: Date, now: number): boolean =>
  at.getFullYear() !== new Date(now).getFullYear()

/** Formats day and minute, with the year unless it is this one. */
export const formatShort = (at: number | string, now: number, language: Language): string => {
  const time = new Date(at)
  return (isOtherYear(time, now) ? timesOfOtherYears : timesOfThisYear)(language).format(time)
}
const secondTimes = cached(
  (language) =>
    new Intl.DateTimeFormat(LOCALES[language], {
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
    }),
)
const clockTimes = cached(
  (language) =>
    new Intl.DateTimeFormat(LOCALES[language], {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
    }),
)
/** @returns null if neither end is given */
const formatRange = (
  since: string | undefined,
  until: string | undefined,
  language: Language,
): string | null => {
  if (since === undefined && until === undefined) return null
  const now = serverNow()
  if (since === undefined) return `– ${formatShort(until ?? '', now, language)}`
  if (until === undefined) return `${formatShort(since, now, language)} –`
  const [from, to] = [new Date(since), new Date(until)]
  const times = isOtherYear(from, now) ? timesOfOtherYears : timesOfThisYear
  return times(language).formatRange(from, to)
}

const relativeTimes = cached(
  (language) =>
    new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'auto', style: 'narrow' }),
)

const DURATION_UNITS: Readonly<
  Record<Language, Readonly<Record<'ms' | 's' | 'm' | 'h' | 'd', string>>>
> = {
  en: { ms: 'ms', s: 's', m: 'm', h: 'h', d: 'd' },
  ko: { ms: '밀리초', s: '초', m: '분', h: '시간', d: '일' },
}

/** Formats the two largest units: `1m 12s`, `3d 4h`; below 10 s, tenths: `1.8s`. */
export const formatDuration = (milliseconds: number, language: Language): string => {
  const unit = DURATION_UNITS[language]
  const ms = Math.round(Math.max(0, milliseconds))
  if (ms < SECOND_MS) return `${ms}${unit.ms}`
  if (ms < 9.95 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)}${unit.s}`
  // rounded first, so that no unit reaches the size of the next one
  const whole = Math.round(ms / SECOND_MS) * SECOND_MS
  const steps = [
    [DAY_MS, unit.d, HOUR_MS, unit.h],
    [HOUR_MS, unit.h, MINUTE_MS, unit.m],
    [MINUTE_MS, unit.m, SECOND_MS, unit.s],
  ] as const
  for (const [size, name, smallerSize, smallerName] of steps) {
    if (whole < size) continue
    const rest = Math.floor((whole % size) / smallerSize)
    return `${Math.floor(whole / size)}${name}${rest === 0 ? '' : ` ${rest}${smallerName}`}`
  }
  return `${whole / SECOND_MS}${unit.s}`
}

/** Formats a relative time: `5 min. ago`, `in 2 hr.`. Beyond a week it is the date. */
export const formatAgo = (at: number, now: number, language: Language): string => {
  const difference = at - now
  const size = Math.abs(difference)
  const relative = relativeTimes(language)
  if (size < 5 * SECOND_MS) return relative.format(0, 'second')
  if (size < MINUTE_MS) return relative.format(Math.round(difference / SECOND_MS), 'second')
  if (size < HOUR_MS) return relative.format(Math.round(difference / MINUTE_MS), 'minute')
  if (size < DAY_MS) return relative.format(Math.round(difference / HOUR_MS), 'hour')
  if (size < 7 * DAY_MS) return relative.format(Math.round(difference / DAY_MS), 'day')
  // a column of ages has no room for both year and time
  return isOtherYear(new Date(at), now)
    ? daysOfOtherYears(language).format(at)
    : timesOfThisYear(language).format(at)
}

export type Format = Readonly<{
  number: (value: number) => string
  compact: (value: number) => string
  /** With the time zone, to the second. */
  exact: (at: number | string) => string
  short: (at: number | string) => string
  /** Like `short`, with the second. */
  second: (at: number | string) => string
  /** The time of day to the millisecond. */
  clock: (at: number | string) => string
  duration: (milliseconds: number) => string
  /** From one time to another. Either may be open; null if both are. */
  range: (since: string | undefined, until: string | undefined) => string | null
}>

const formats = cached(
  (language): Format => ({
    number: (value) => numbers(language).format(value),
    compact: (value) => compactNumbers(language).format(value),
    exact: (at) => exactTimes(language).format(new Date(at)),
    short: (at) => formatShort(at, serverNow(), language),
    second: (at) => secondTimes(language).format(new Date(at)),
    clock: (at) => clockTimes(language).format(new Date(at)),
    duration: (milliseconds) => formatDuration(milliseconds, language),
    range: (since, until) => formatRange(since, until, language),
  }),
)

export const useFormat = (): Format => formats(useLanguage())
