import { z } from './z.ts'

/** RFC 3339 in UTC with milliseconds [wire 2.3]. */
export const toTimestamp = (ms: number): string => new Date(ms).toISOString()

/** A time in a query, read as milliseconds since 1970. */
export const timeQuery = z.iso
  .datetime({ offset: true, error: 'must be a time as in RFC 3339, 2026-01-31T09:00:00Z' })
  .transform((text) => Date.parse(text))
