/**
 * The meaning of a cron expression, as far as a simple sentence can express it (five fields, descriptors, @every)
 * [schedules 3]. It is null if no sentence fits; the console then shows the expression and its next fire times. Pure.
 */

export type Clock = Readonly<{ hour: number; minute: number }>
export type HourRange = Readonly<{ from: number; to: number }>

export type TimePart =
  | Readonly<{ kind: 'points'; points: readonly Clock[] }>
  /** Every given number of minutes, in the given hours if any. */
  | Readonly<{ kind: 'minutes'; every: number; hours: HourRange | null }>
  /** At the given minutes of every given number of hours. */
  | Readonly<{
      kind: 'hours'
      every: number
      minutes: readonly number[]
      hours: HourRange | null
    }>

export type DayPart = Readonly<{
  /** Null means all months. */
  months: readonly number[] | null
  /** `last` is the last day of the month. */
  days: readonly (number | 'last')[] | null
  /** 0 is Sunday. If days are given too, either one is enough. */
  weekdays: readonly number[] | null
  /** Whether only the last one of each weekday in the month counts. */
  isLastWeek: boolean
}>

export type CronMeaning =
  | Readonly<{ kind: 'every'; ms: number }>
  | Readonly<{ kind: 'cron'; time: TimePart; day: DayPart }>

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

type Limits = Readonly<{ least: number; most: number; names?: readonly string[] }>

const MINUTE: Limits = { least: 0, most: 59 }
const HOUR: Limits = { least: 0, most: 23 }
const DAY: Limits = { least: 1, most: 31 }
const MONTH: Limits = { least: 1, most: 12, names: MONTHS }
const WEEKDAY: Limits = { least: 0, most: 7, names: WEEKDAYS }

type Field = Readonly<{
  values: readonly number[]
  isAny: boolean
  /** The step of a field that is a star with a step, otherwise null. */
  step: number | null
}>

const toNumber = (text: string, { least, most, names = [] }: Limits): number | null => {
  const named = names.indexOf(text.toLowerCase())
  if (named !== -1) return named + least
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : null
}

const range = (from: number, to: number, step = 1): readonly number[] =>
  Array.from(
    { length: Math.max(0, Math.floor((to - from) / step) + 1) },
    (_, at) => from + at * step,
  )

const partValues = (part: string, limits: Limits): readonly number[] | null => {
  const [, span = '', stepText] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? []
  const step = stepText === undefined ? 1 : Number(stepText)
  if (span === '' || step === 0) return null
  if (span === '*' || span === '?')
    return range(limits.least, Math.min(limits.most, lastOf(limits)), step)
  const [low = '', high] = span.split('-')
  const from = toNumber(low, limits)
  const to = high === undefined ? from : toNumber(high, limits)
  if (from === null || to === null || to < from) return null
  // `5/10` starts at 5
  return range(from, high === undefined && stepText !== undefined ? lastOf(limits) : to, step)
}

/** The highest value. Sunday has two numbers, 0 and 7. */
const lastOf = ({ most }: Limits): number => (most === 7 ? 6 : most)

const parseField = (text: string, limits: Limits): Field | null => {
  const values = text.split(',').map((part) => partValues(part, limits))
  const known = values.flatMap((each) => each ?? [])
  if (values.includes(null) || known.length === 0) return null
  const folded = known.map((value) => (limits === WEEKDAY ? value % 7 : value))
  const sorted = [...new Set(folded)].sort((one, other) => one - other)
  const [, step] = /^\*\/(\d+)$/.exec(text) ?? []
  return {
    values: sorted,
    isAny: sorted.length === lastOf(limits) - limits.least + 1,
    step: step === undefined ? null : Number(step),
  }
}

const MOST_POINTS = 4

/** Consecutive hours, or null if some are left out. */
const rangeOf = ({ values }: Field): HourRange | null => {
  const [from = 0] = values
  const to = values.at(-1) ?? 0
  return to - from === values.length - 1 ? { from, to } : null
}

const dividing = (step: number | null, whole: number): number | null =>
  step !== null && step > 1 && whole % step === 0 ? step : null

const timeOf = (minute: Field, hour: Field): TimePart | null => {
  const everyMinutes = minute.isAny ? 1 : dividing(minute.step, 60)
  const hours = hour.isAny ? null : rangeOf(hour)
  if (everyMinutes !== null) {
    return hour.isAny || hours !== null ? { kind: 'minutes', every: everyMinutes, hours } : null
  }
  const everyHours = hour.isAny ? 1 : dividing(hour.step, 24)
  if (everyHours !== null) {
    return minute.values.length > MOST_POINTS
      ? null
      : { kind: 'hours', every: everyHours, minutes: minute.values, hours: null }
  }
  const points = hour.values.flatMap((each) =>
    minute.values.map((at) => ({ hour: each, minute: at })),
  )
  if (points.length <= MOST_POINTS) return { kind: 'points', points }
  return minute.values.length === 1 && hours !== null
    ? { kind: 'hours', every: 1, minutes: minute.values, hours }
    : null
}

const MOST_DAYS = 6
const valuesOf = ({ isAny, values }: Field): readonly number[] | null => (isAny ? null : values)

/** Days of a month, of which `L` is the last. */
const parseDays = (text: string): DayPart['days'] | undefined => {
  const parts = text.split(',')
  const numbers = parts.filter((part) => !/^L$/i.test(part))
  if (numbers.length === 0) return ['last']
  const field = parseField(numbers.join(','), DAY)
  if (field === null) return undefined
  const days = valuesOf(field)
  return days === null || numbers.length === parts.length ? days : [...days, 'last']
}

type Weekdays = Pick<DayPart, 'weekdays' | 'isLastWeek'>

/** Days of a week. `5L` is the last Friday of a month; it fits no sentence together with a day of each week. */
const parseWeekdays = (text: string): Weekdays | undefined => {
  const isLastWeek = /^[0-7]L(?:,[0-7]L)*$/i.test(text)
  const field = parseField(isLastWeek ? text.replaceAll(/L/gi, '') : text, WEEKDAY)
  if (field === null) return undefined
  return { weekdays: isLastWeek ? field.values : valuesOf(field), isLastWeek }
}

const SECOND = 1_000
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  m: 60 * SECOND,
  h: 3_600 * SECOND,
}
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/

const durationOf = (text: string): number | null =>
  DURATION.test(text)
    ? [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
        (sum, [, size, unit = '']) => sum + Number(size) * (UNITS[unit] ?? 0),
        0,
      )
    : null

export const readCron = (cron: string): CronMeaning | null => {
  const text = cron.trim()
  if (text.startsWith('@every ')) {
    const ms = durationOf(text.slice('@every '.length).trim())
    return ms === null || ms < SECOND ? null : { kind: 'every', ms }
  }
  const [a = '', b = '', c = '', d = '', e = '', ...more] = (DESCRIPTORS[text] ?? text).split(/\s+/)
  const minute = parseField(a, MINUTE)
  const hour = parseField(b, HOUR)
  const days = parseDays(c)
  const month = parseField(d, MONTH)
  const week = parseWeekdays(e)
  if (minute === null || hour === null || month === null) return null
  if (days === undefined || week === undefined) return null
  const time = timeOf(minute, hour)
  if (time === null || more.length > 0 || (days !== null && days.length > MOST_DAYS)) return null
  return { kind: 'cron', time, day: { months: valuesOf(month), days, ...week } }
}
