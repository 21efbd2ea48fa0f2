/** Dates and times as callers write them. */
import * as z from 'zod'

/** Milliseconds since 1970 of the first and the last time that RFC 3339 can express in UTC: its years have four digits. */
export const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z')
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** With an offset, a text of the year 9999 can name a time of the year 10000 in UTC, which no response could contain. */
const isWritable = (text: string): boolean => {
  const at = Date.parse(text)
  return !(at < FIRST_TIME || at > LAST_TIME)
}

const DATE = /^\d{4}-\d\d-\d\d$/

/** Whether a text is a real date: `2026-02-30` is not. */
export const isDate = (text: string): boolean => {
  if (!DATE.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const LEAP_SECOND = /^(.{10}T\d\d:\d\d:)60(.*)$/

/** Spells a time as `Date` reads it: RFC 3339 also allows `t` and `z` in lower case, and leap seconds. */
const respell = (text: string): string => {
  const upper = text.toUpperCase()
  const [, minute, rest] = LEAP_SECOND.exec(upper) ?? []
  if (minute === undefined) return upper
  // no clock here has leap seconds: one is the first second of the next day, as in POSIX
  const next = new Date(Date.parse(`${minute}59${rest}`) + 1_000)
  const isLeap = /-01T00:00:00/.test(Number.isNaN(next.getTime()) ? '' : next.toISOString())
  return isLeap ? next.toISOString() : upper
}

/** A time in RFC 3339 with any offset, which `Date.parse` can read afterwards. */
export const timeText = z
  .string('must be a time as in RFC 3339, 2026-01-31T09:00:00Z')
  .overwrite(respell)
  .check(
    z.iso.datetime({
      offset: true,
      error: 'must be a time as in RFC 3339, 2026-01-31T09:00:00Z',
      abort: true,
    }),
  )
  .refine(isWritable, 'must be in the years 0 to 9999 in UTC')

/** @returns milliseconds since 1970; null if the text is not a time in RFC 3339 */
export const parseTime = (text: string): number | null => {
  const read = timeText.safeParse(text)
  return read.success ? Date.parse(read.data) : null
}
