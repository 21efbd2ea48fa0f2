/** Bounds for the UUIDv7 ids of a time. They limit a scan over ids; the timestamps in the rows decide exactly. */
import { HOUR_MS } from '#core/time-units.ts'
import type { Span } from './search.ts'

/** How far, in milliseconds, the clock of the node that made an id may be from the database's, which gave `created_at`. */
export const ID_SLACK_MS = HOUR_MS

const idOf = (milliseconds: number, tail: string): string => {
  const hex = Math.max(0, Math.trunc(milliseconds)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-${tail}`
}

/** Returns an id that sorts before all ids made at `milliseconds` or later. */
export const smallestIdAt = (milliseconds: number): string =>
  idOf(milliseconds, '7000-8000-000000000000')

/** Returns an id that sorts after all ids made at `milliseconds` or earlier. */
export const largestIdAt = (milliseconds: number): string =>
  idOf(milliseconds, '7fff-bfff-ffffffffffff')

/** Returns the span of the ids of rows that were created from `since` to `until`, both inclusive. Null leaves that end open. */
export const idSpan = ({
  since,
  until,
}: Readonly<{ since: number | null; until: number | null }>): Span => ({
  from: since === null ? null : [smallestIdAt(since - ID_SLACK_MS)],
  before: until === null ? null : [smallestIdAt(until + ID_SLACK_MS + 1)],
})
