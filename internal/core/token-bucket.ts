/** A token bucket: `ratePerS` requests a second in the long run, and at most one second's worth at once. */

export type Bucket = Readonly<{
  tokens: number
  /** Milliseconds of any monotonic clock. */
  at: number
}>

export type Taken = Readonly<{
  bucket: Bucket
  isAllowed: boolean
  /** Milliseconds until there is a token again; 0 when one was taken. */
  waitMs: number
}>

/**
 * Takes one token.
 * @param bucket null for a full one
 * @param ratePerS above 0
 */
export const takeToken = (bucket: Bucket | null, ratePerS: number, now: number): Taken => {
  const elapsedMs = bucket === null ? 0 : Math.max(0, now - bucket.at)
  const tokens =
    bucket === null ? ratePerS : Math.min(ratePerS, bucket.tokens + (elapsedMs / 1_000) * ratePerS)
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, at: now }, isAllowed: true, waitMs: 0 }
  const waitMs = ((1 - tokens) / ratePerS) * 1_000
  return { bucket: { tokens, at: now }, isAllowed: false, waitMs }
}

/** Whether it is full again, so that nothing is lost by forgetting it. */
export const isFull = (bucket: Bucket, ratePerS: number, now: number): boolean =>
  bucket.tokens + ((now - bucket.at) / 1_000) * ratePerS >= ratePerS
