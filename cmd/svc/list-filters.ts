/** Flags by which lists are filtered, and the query that they become. */
import { isDate, parseTime } from '#core/rfc3339.ts'
import { parseGoDuration } from '#core/schedule/go-duration.ts'
import { DAY_MS } from '#core/time-units.ts'
import { textOption } from './command-arguments.ts'
import { UsageError } from './exit.ts'
import type { Flags } from './print.ts'

export type Query = Readonly<Record<string, unknown>>

export const timeFlags = {
  since: textOption(
    'Created at this time or later: 2026-11-01T09:00:00Z, a date, or 2h for 2 hours ago',
  ),
  until: textOption('Created at this time or earlier, in the same forms'),
} as const

const DAYS = /^(\d{1,5})d$/

/** Milliseconds of a duration; null if the text is none. */
const durationOf = (text: string): number | null => {
  const days = DAYS.exec(text)?.[1]
  return days === undefined ? parseGoDuration(text) : Number(days) * DAY_MS
}

/** Reads a time, a date or a duration before now. @throws {UsageError} */
export const readTime = (flag: string, given: unknown, now: number): string => {
  const text = String(given)
  const ago = durationOf(text)
  const at = ago === null ? parseTime(isDate(text) ? `${text}T00:00:00Z` : text) : now - ago
  if (at !== null && Math.abs(at) <= LAST_DATE_MS) return new Date(at).toISOString()
  throw new UsageError(
    `--${flag} must be a time such as 2026-11-01T09:00:00Z, a date, or a duration such as 2h or 7d for that long ago.`,
  )
}

/** The last time of a Date. */
const LAST_DATE_MS = 8.64e15

/** Reads the flags of `timeFlags` that are given. @throws {UsageError} */
export const timeQuery = (flags: Flags, now: number): Query =>
  Object.fromEntries(
    Object.keys(timeFlags)
      .filter((flag) => flags[flag] !== undefined)
      .map((flag) => [flag, readTime(flag, flags[flag], now)]),
  )

/** Reads a flag that takes `<app>/<key>`, or only the key. @returns the query with both; empty if it is not given */
export const targetQuery = (flags: Flags, flag: 'action' | 'flow'): Query => {
  if (flags[flag] === undefined) return {}
  const [first = '', key, ...rest] = String(flags[flag]).split('/')
  if (key === undefined) return { [flag]: first }
  if (key === '' || rest.length > 0) {
    throw new UsageError(`--${flag} must be <app>/<${flag}>, or the key of the ${flag} alone.`)
  }
  if (flags.app !== undefined && flags.app !== first) {
    throw new UsageError(`--${flag} names the app ${first}, and --app another one.`)
  }
  return { app: first, [flag]: key }
}
