/**
 * The server's time. The clock of a browser may be hours off, and with it ages, filters such as "last hour" and whether a token
 * has expired. The responses of the server state its time, to the second.
 */

export type Reading = Readonly<{
  /** The header `Date` of a response. */
  date: string | null
  /** When the browser sent the request and got the response, in milliseconds by its own clock. */
  sentAt: number
  receivedAt: number
}>

const RESOLUTION_MS = 1_000
/** Smaller differences are not corrected, so that times do not jump. */
const TOLERANCE_MS = 2_000

/**
 * @param known how far the server's clock is ahead of the browser's, in milliseconds
 * @returns the same, unless the response contradicts it
 */
export const aheadAfter = (known: number, { date, sentAt, receivedAt }: Reading): number => {
  const stated = Date.parse(date ?? '')
  if (Number.isNaN(stated)) return known
  const least = stated - receivedAt
  const most = stated + RESOLUTION_MS - sentAt
  const isPossible = known >= least - TOLERANCE_MS && known <= most + TOLERANCE_MS
  return isPossible ? known : Math.round((least + most) / 2)
}

let ahead = 0

/** Call it with each response of the API. */
export const readServerClock = (reading: Reading): void => {
  ahead = aheadAfter(ahead, reading)
}

/** The current time of the server in milliseconds, like `Date.now()`. */
export const serverNow = (): number => Date.now() + ahead
