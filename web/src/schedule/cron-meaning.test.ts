/** Compares the described meaning of an expression with the server's own cron library. */
import { Cron } from 'croner'
import { expect, test } from 'vitest'
import { type DayPart, readCron, type TimePart } from './cron-meaning.ts'

const fitsTime = (time: TimePart, hour: number, minute: number): boolean => {
  if (time.kind === 'points') {
    return time.points.some((point) => point.hour === hour && point.minute === minute)
  }
  const inHours = time.hours === null || (hour >= time.hours.from && hour <= time.hours.to)
  return time.kind === 'minutes'
    ? inHours && minute % time.every === 0
    : inHours && hour % time.every === 0 && time.minutes.includes(minute)
}

const DAY_MS = 86_400_000

const isOtherMonth = (at: Date, afterDays: number): boolean =>
  new Date(at.getTime() + afterDays * DAY_MS).getUTCMonth() !== at.getUTCMonth()

const fitsDay = ({ months, days, weekdays, isLastWeek }: DayPart, at: Date): boolean => {
  if (months !== null && !months.includes(at.getUTCMonth() + 1)) return false
  const isLast = (days?.includes('last') ?? false) && isOtherMonth(at, 1)
  const byDay = isLast || (days?.includes(at.getUTCDate()) ?? false)
  const byWeekday =
    (weekdays?.includes(at.getUTCDay()) ?? false) && (!isLastWeek || isOtherMonth(at, 7))
  return days === null && weekdays === null ? true : byDay || byWeekday
}

const MINUTES = ['*', '0', '7', '0,30', '*/5', '*/20', '10-12', '59']
const HOURS = ['*', '0', '9', '9-17', '*/6', '8,20', '22-23']
const DAYS = ['*', '1', '1,15', '28-31', '*/10', 'L', '15,L']
const MONTHS = ['*', '2', 'jan,jul', '6-8']
const WEEKDAYS = ['*', '0', '7', '1-5', 'mon,WED', '6,7', '*/2', '5L', '0L,3L']

const FROM = Date.UTC(2026, 0, 1) - 1
const LOOKED_AT = 12

/** Combines every part with several others, without the full product. */
const EXPRESSIONS = MINUTES.flatMap((minute, at) =>
  HOURS.map((hour, next) => {
    const day = DAYS[(at + next) % DAYS.length] ?? '*'
    const month = MONTHS[(at + 2 * next) % MONTHS.length] ?? '*'
    const weekday = WEEKDAYS[(3 * at + next) % WEEKDAYS.length] ?? '*'
    return `${minute} ${hour} ${day} ${month} ${weekday}`
  }),
)

const MINUTE_MS = 60_000
/** Limits the walk, because fire times may be a year apart. */
const WALKED_MS = 5_000 * MINUTE_MS

const minutesBefore = (time: number, before: number): readonly number[] => {
  const first = Math.ceil((before + 1) / MINUTE_MS) * MINUTE_MS
  const from = Math.max(first, time - WALKED_MS)
  return Array.from({ length: (time - from) / MINUTE_MS }, (_, at) => from + at * MINUTE_MS)
}

test('every fire time of an expression fits its words, and nothing before it does', () => {
  const said = EXPRESSIONS.filter((cron) => readCron(cron) !== null)
  expect(said.length).toBeGreaterThan(30)
  for (const cron of said) {
    const meaning = readCron(cron)
    if (meaning?.kind !== 'cron') continue
    const fits = (at: number): boolean => {
      const time = new Date(at)
      const [hour, minute] = [time.getUTCHours(), time.getUTCMinutes()]
      return fitsDay(meaning.day, time) && fitsTime(meaning.time, hour, minute)
    }
    const judge = new Cron(cron, { mode: '5-part', timezone: 'UTC' })
    const times = judge.nextRuns(LOOKED_AT, new Date(FROM)).map((time) => time.getTime())
    expect(
      times.filter((at) => !fits(at)),
      cron,
    ).toEqual([])
    const between = times.flatMap((at, n) => minutesBefore(at, times[n - 1] ?? FROM))
    expect(between.filter(fits), cron).toEqual([])
  }
})
