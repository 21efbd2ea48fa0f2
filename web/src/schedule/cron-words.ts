/** A cron expression as a sentence, in English and in Korean. Pure. */
import { formatDuration } from '../language/format.ts'
import type { Language } from '../language/language.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../language/units.ts'
import {
  type Clock,
  type CronMeaning,
  type DayPart,
  type HourRange,
  readCron,
  type TimePart,
} from './cron-meaning.ts'

const two = (value: number): string => String(value).padStart(2, '0')
const clock = ({ hour, minute }: Clock): string => `${two(hour)}:${two(minute)}`

const SUNDAY = Date.UTC(2023, 0, 1)

const weekdayName = (weekday: number, language: Language, width: 'long' | 'short'): string =>
  new Intl.DateTimeFormat(language, { weekday: width, timeZone: 'UTC' }).format(
    SUNDAY + weekday * DAY_MS,
  )

/** Weeks begin on Monday. Three or more consecutive days are written as a range. */
const mondayFirst = (weekdays: readonly number[]): readonly number[] =>
  weekdays.toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7))

const isRun = (weekdays: readonly number[]): boolean =>
  weekdays.length > 2 &&
  weekdays.every(
    (each, at) => at === 0 || (each + 6) % 7 === (((weekdays[at - 1] ?? 0) + 6) % 7) + 1,
  )

const and = new Intl.ListFormat('en', { type: 'conjunction' })

const monthEn = (month: number): string =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2023, month - 1, 1),
  )

const timeEn = (time: TimePart): string => {
  switch (time.kind) {
    case 'points':
      return `at ${and.format(time.points.map(clock))}`
    case 'minutes': {
      const every = time.every === 1 ? 'every minute' : `every ${time.every} minutes`
      return time.hours === null ? every : `${every} ${spanEn(time.hours, 59)}`
    }
    case 'hours': {
      const every = time.every === 1 ? 'every hour' : `every ${time.every} hours`
      const [minute = 0] = time.minutes
      if (time.hours !== null) {
        const { from, to } = time.hours
        return `${every} from ${clock({ hour: from, minute })} to ${clock({ hour: to, minute })}`
      }
      return time.minutes.length === 1 && minute === 0
        ? every
        : `${every} at ${and.format(time.minutes.map((each) => `:${two(each)}`))}`
    }
  }
}

const spanEn = ({ from, to }: HourRange, lastMinute: number): string =>
  `from ${clock({ hour: from, minute: 0 })} to ${clock({ hour: to, minute: lastMinute })}`

const weekdaysEn = (given: readonly number[]): string => {
  const weekdays = mondayFirst(given)
  const names = weekdays.map((each) => weekdayName(each, 'en', 'long'))
  return isRun(weekdays) ? `${names[0]} to ${names.at(-1)}` : and.format(names)
}

const LAST_EN = 'the last day'

/** `day 1`, `days 1 and 15`, `day 15 and the last day`. */
const dayListEn = (days: NonNullable<DayPart['days']>): string => {
  const numbers = days.filter((day) => day !== 'last').map(String)
  if (numbers.length === 0) return LAST_EN
  const counted = `day${numbers.length === 1 ? '' : 's'} `
  return numbers.length === days.length
    ? `${counted}${and.format(numbers)}`
    : `${counted}${and.format([...numbers, LAST_EN])}`
}

const daysEn = ({ months, days, weekdays, isLastWeek }: DayPart): string | null => {
  const inMonths = months === null ? null : and.format(months.map(monthEn))
  const [day] = days ?? []
  if (typeof day === 'number' && weekdays === null && months !== null && days?.length === 1) {
    return `on ${and.format(months.map((month) => `${monthEn(month)} ${day}`))}`
  }
  const ofMonth = days === null ? null : `on ${dayListEn(days)} of ${inMonths ?? 'the month'}`
  const ofWeek = weekdays === null ? null : weekdaysEn(weekdays)
  if (isLastWeek) {
    const last = `on the last ${ofWeek} of ${inMonths ?? 'the month'}`
    return ofMonth === null ? last : `${ofMonth}, and ${last}`
  }
  if (ofMonth !== null) return ofWeek === null ? ofMonth : `${ofMonth}, and on ${ofWeek}`
  const where = inMonths === null ? null : `in ${inMonths}`
  return [ofWeek, where].filter((each) => each !== null).join(' ') || null
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const english = ({ time, day }: Extract<CronMeaning, { kind: 'cron' }>): string => {
  const days = daysEn(day)
  const words = timeEn(time)
  if (time.kind !== 'points') return capital(days === null ? words : `${words}, ${days}`)
  return capital(days === null ? `every day ${words}` : `${days} ${words}`)
}

const timeKo = (time: TimePart): string => {
  switch (time.kind) {
    case 'points':
      return time.points.map(clock).join(', ')
    case 'minutes': {
      const every = time.every === 1 ? '매분' : `${time.every}분마다`
      if (time.hours === null) return every
      const { from, to } = time.hours
      return `${clock({ hour: from, minute: 0 })}~${clock({ hour: to, minute: 59 })} ${every}`
    }
    case 'hours': {
      const every = time.every === 1 ? '매시간' : `${time.every}시간마다`
      const [minute = 0] = time.minutes
      if (time.hours !== null) {
        const { from, to } = time.hours
        return `${clock({ hour: from, minute })}~${clock({ hour: to, minute })} ${every}`
      }
      return time.minutes.length === 1 && minute === 0
        ? `${every} 정각`
        : `${every} ${time.minutes.map((each) => `${each}분`).join(', ')}`
    }
  }
}

const weekdaysKo = (given: readonly number[]): string => {
  const weekdays = mondayFirst(given)
  const names = weekdays.map((each) => weekdayName(each, 'ko', 'short'))
  return isRun(weekdays) ? `${names[0]}~${names.at(-1)}요일` : `${names.join('·')}요일`
}

const daysKo = ({ months, days, weekdays, isLastWeek }: DayPart): string | null => {
  const monthWords = months === null ? null : months.map((month) => `${month}월`).join(', ')
  const inMonths = monthWords === null ? '매월' : `매년 ${monthWords}`
  const ofMonth =
    days === null
      ? null
      : `${inMonths} ${days.map((day) => (day === 'last' ? '마지막 날' : `${day}일`)).join(', ')}`
  const names = weekdays === null ? null : weekdaysKo(weekdays)
  if (isLastWeek) {
    const last = `${inMonths} 마지막 ${names}`
    return ofMonth === null ? last : `${ofMonth} 또는 ${last}`
  }
  const ofWeek = names === null ? null : `매주 ${names}`
  if (ofMonth !== null) return ofWeek === null ? ofMonth : `${ofMonth} 또는 ${ofWeek}`
  return [monthWords, ofWeek].filter((each) => each !== null).join(' ') || null
}

const korean = ({ time, day }: Extract<CronMeaning, { kind: 'cron' }>): string => {
  const days = daysKo(day) ?? (time.kind === 'points' ? '매일' : null)
  return [days, timeKo(time)].filter((each) => each !== null).join(' ')
}

/** Whether the two units that a duration is written with express it exactly. */
const isExact = (ms: number): boolean => {
  const [, smallest] = EXACT_FROM.find(([from]) => ms >= from) ?? [0, 1]
  return ms % smallest === 0
}

/** The smallest part that is written for durations from a length. Milliseconds. */
const EXACT_FROM = [
  [DAY_MS, HOUR_MS],
  [HOUR_MS, MINUTE_MS],
  [10_000, 1_000],
  [1_000, 100],
] as const

/** @returns null if it has no simple sentence or is not a cron expression */
export const cronInWords = (cron: string, language: Language): string | null => {
  const meaning = readCron(cron)
  if (meaning === null) return null
  if (meaning.kind === 'every') {
    if (!isExact(meaning.ms)) return null
    const duration = formatDuration(meaning.ms, language).replace('.0', '')
    return language === 'ko' ? `${duration}마다` : `Every ${duration}`
  }
  return language === 'ko' ? korean(meaning) : english(meaning)
}
