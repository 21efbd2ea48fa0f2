/** Offsets of IANA time zones, from the runtime's own tables. */
import { nearestTo } from '../edit-distance.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
/** More than there are names. Callers may write each name in many ways, because case does not matter. */
const MOST_FORMATS = 1_000

/** Caches formats, because creating one takes a thousand times as long as using it. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= MOST_FORMATS) formats.clear()
  formats.set(zone, format)
  return format
}

/** Accepts only IANA names. An offset such as `+09:00`, which newer runtimes accept too, is not one. */
export const isTimeZone = (zone: string): boolean => {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(zone)) return false
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

let names: readonly string[] | undefined

/** Returns the name for a city without its continent, or for a misspelt name; undefined if none is alike. */
export const zoneMeantBy = (zone: string): string | undefined => {
  names ??= Intl.supportedValuesOf('timeZone')
  const city = `/${zone.trim().replaceAll(' ', '_').toLowerCase()}`
  return names.find((name) => name.toLowerCase().endsWith(city)) ?? nearestTo(zone, names)
}

/** Returns how many milliseconds the zone's clocks are ahead of UTC at an instant (milliseconds since 1970). */
export const offsetAt = (zone: string, instant: number): number => {
  const wholeSecond = Math.floor(instant / 1_000) * 1_000
  const fields: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(wholeSecond)) {
    fields[type] = Number(value)
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond
}

/**
 * Returns the first second of the offset that holds at `after`. Another offset holds at `before`, and they change once
 * in between.
 */
export const transitionBetween = (zone: string, before: number, after: number): number => {
  const last = offsetAt(zone, after)
  let [low, high] = [Math.floor(before / 1_000), Math.ceil(after / 1_000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(zone, middle * 1_000) === last) high = middle
    else low = middle
  }
  return high * 1_000
}
