import { FIRST_TIME, LAST_TIME, timeText } from '#core/rfc3339.ts'
import { wholeNumber } from './whole-number.ts'

/**
 * RFC 3339 in UTC with milliseconds [wire 2.3]. Earlier releases stored times that it cannot express, such as those of the year
 * 10000: the nearest one stands for them, so that a list with such a row can be read.
 */
export const toTimestamp = (ms: number): string =>
  new Date(Math.min(Math.max(ms, FIRST_TIME), LAST_TIME)).toISOString()

/** The seconds before now that a list counts: a day, unless given, and at most a year. */
export const recentSeconds = wholeNumber(1, 366 * 86_400).default(86_400)

/** A time in a query, read as milliseconds since 1970. */
export const timeQuery = timeText.transform((text) => Date.parse(text))
