/** Formats times in a given time zone. Pure, except for reading the viewer's time zone and the current year. */
import { serverNow } from '../browser/server-clock.ts'
import { LOCALES } from '../language/format.ts'
import type { Language } from '../language/language.ts'

/** Whether some of these times have seconds. */
export const needsSeconds = (times: readonly string[]): boolean =>
  times.some((at) => new Date(at).getUTCSeconds() !== 0)

const zones = new Map<string, boolean>()

const canFormat = (zone: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** Whether this browser has the time zone. A server may have newer ones. */
const isKnown = (zone: string): boolean => {
  const known = zones.get(zone) ?? canFormat(zone)
  zones.set(zone, known)
  return known
}

const formats = new Map<string, Intl.DateTimeFormat>()

const cached = (
  key: string,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat => {
  const name = `${key} ${locale} ${options.timeZone}`
  const known = formats.get(name) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(name, known)
  return known
}

export type ZoneTimeOptions = Readonly<{
  zone: string
  language: Language
  /** @default false */
  withSeconds?: boolean
}>

/**
 * `Sat, Nov 21, 09:30`, with the year unless it is this one. In a time zone that this browser does not have, it is the time
 * of UTC, and ends in `UTC`.
 */
export const timeInZone = (at: string | number, options: ZoneTimeOptions): string => {
  if (isKnown(options.zone)) return formatTime(at, options)
  return `${formatTime(at, { ...options, zone: 'UTC' })} UTC`
}

const formatTime = (
  at: string | number,
  { zone, language, withSeconds = false }: ZoneTimeOptions,
): string => {
  const isOtherYear = yearInZone(at, zone) !== yearInZone(serverNow(), zone)
  const key = `${withSeconds ? 'seconds' : 'minutes'} ${isOtherYear}`
  return cached(key, LOCALES[language], {
    timeZone: zone,
    ...(isOtherYear ? { year: 'numeric' } : {}),
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(withSeconds ? { second: '2-digit' } : {}),
  }).format(new Date(at))
}

/** `2026-11-21`; the day of UTC in a time zone that this browser does not have */
export const dayInZone = (at: string | number, zone: string): string =>
  cached('day', 'en-CA', {
    timeZone: isKnown(zone) ? zone : 'UTC',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(new Date(at))

const yearInZone = (at: string | number, zone: string): string => dayInZone(at, zone).slice(0, 4)

export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Time zones to select from, with UTC first. */
export const knownZones = (): readonly string[] => [
  ...new Set(['UTC', viewerZone(), ...Intl.supportedValuesOf('timeZone')]),
]
