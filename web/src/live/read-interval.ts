/** How often data is read again: less often once it has not changed for a while. */

const QUIET_AFTER_MS = 30_000
const QUIET_EVERY_MS = 10_000

/** When each result was seen first. The query cache keeps the same object while reads return the same. */
const firstSeen = new WeakMap<object, number>()

/**
 * @param everyMs between two reads of data that changes
 * @param data of the last read
 * @returns milliseconds until the next read
 */
export const readInterval = (everyMs: number, data: object | undefined, now: number): number => {
  if (data === undefined) return everyMs
  const since = firstSeen.get(data) ?? now
  firstSeen.set(data, since)
  return now - since < QUIET_AFTER_MS ? everyMs : Math.max(everyMs, QUIET_EVERY_MS)
}

type Read = Readonly<{ state: Readonly<{ data: unknown }> }>

/** The `refetchInterval` of a query that is read less often once its data has not changed for a while. */
export const lessOften =
  (everyMs: number) =>
  ({ state: { data } }: Read): number =>
    readInterval(everyMs, typeof data === 'object' && data !== null ? data : undefined, Date.now())
