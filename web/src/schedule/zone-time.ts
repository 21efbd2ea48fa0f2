/** Formats times in a given time zone. Pure, except for reading the viewer's time zone and the current year. */
import type { Language } from '../language/language.ts'

const LOCALES: Readonly<Record<Language, string>> = { en: 'en', ko: 'ko-KR' }

/** Whether some of these times have seconds. */
export const needsSeconds = (times: readonly string[]): boolean =>
  times.some((at) => new Date(at).getUTCSeconds() !== 0)

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

/** `Sat, Nov 21, 09:30`, with the year unless it is this one */
export const timeInZone = (
  at: string | number,
  { zone, language, withSeconds = false }: ZoneTimeOptions,
): string => {
  const isOtherYear = yearInZone(at, zone) !== yearInZone(Date.now(), zone)
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

/** `2026-11-21` */
export const dayInZone = (at: string | number, zone: string): string =>
  cached('day', 'en-CA', {
    timeZone: zone,
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
