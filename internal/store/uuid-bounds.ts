/** Bounds for UUIDv7 ids of a time; they end a scan over ids, and the timestamps in the rows are exact. */

/** How far, in milliseconds, the clock of the node that made an id may be from the database's, which gave `created_at`. */
export const ID_SLACK_MS = 3_600_000

const idOf = (milliseconds: number, tail: string): string => {
  const hex = Math.max(0, Math.trunc(milliseconds)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-${tail}`
}

/** No id made at `milliseconds` or later sorts before it. */
export const smallestIdAt = (milliseconds: number): string =>
  idOf(milliseconds, '7000-8000-000000000000')

/** No id made at `milliseconds` or earlier sorts behind it. */
export const largestIdAt = (milliseconds: number): string =>
  idOf(milliseconds, '7fff-bfff-ffffffffffff')
