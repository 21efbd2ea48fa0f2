/** RFC 3339 in UTC with milliseconds (contract, Wire rules). */
export const toTimestamp = (ms: number): string => new Date(ms).toISOString()

export const toTimestampOrNull = (ms: number | null): string | null =>
  ms === null ? null : toTimestamp(ms)
