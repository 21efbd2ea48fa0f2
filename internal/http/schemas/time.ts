import { timeText } from '#core/rfc3339.ts'

/** RFC 3339 in UTC with milliseconds [wire 2.3]. */
export const toTimestamp = (ms: number): string => new Date(ms).toISOString()

/** A time in a query, read as milliseconds since 1970. */
export const timeQuery = timeText.transform((text) => Date.parse(text))
