import { FIRST_TIME, LAST_TIME, timeText } from '#core/rfc3339.ts'

/**
 * RFC 3339 in UTC with milliseconds [wire 2.3]. Earlier releases stored times that it cannot express, such as those of the year
 * 10000: the nearest one stands for them, so that a list with such a row can be read.
 */
export const toTimestamp = (ms: number): string =>
  new Date(Math.min(Math.max(ms, FIRST_TIME), LAST_TIME)).toISOString()

/** A time in a query, read as milliseconds since 1970. */
export const timeQuery = timeText.transform((text) => Date.parse(text))
