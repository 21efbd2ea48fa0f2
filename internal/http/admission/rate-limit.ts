/**
 * Rate limits of this process: a token bucket for each credential, each webhook, and each address that sends
 * neither [wire 6.1]. They keep one caller from starving the others; guesses at passwords and
 * codes are limited elsewhere, by rows in the database.
 */
import { AppError } from '#core/error.ts'
import { type Bucket, isFull, takeToken } from '#core/token-bucket.ts'

/** What a limit counts; `hook` counts the deliveries of each webhook. */
export type RateClass = 'run' | 'other' | 'anonymous' | 'hook'

/** Requests per second; 0 turns a limit off. */
export type RateLimits = Readonly<Record<RateClass, number>>

/** The state of a caller's limit after a request. */
export type RateState = Readonly<{
  /** Requests per second. */
  limit: number
  remaining: number
  /** Seconds until the whole limit is available again; for a refused request, until the next one may come. */
  resetS: number
}>

/**
 * @param onTaken receives the state, also when the request is refused; not called if the limit is off
 * @throws {AppError} rate_limited
 */
export type RateLimiter = (
  rateClass: RateClass,
  caller: string,
  onTaken?: (state: RateState) => void,
) => void

/** The fields of draft-ietf-httpapi-ratelimit-headers: a quota of `limit` requests in a window of one second. */
const rateHeaders = ({ limit, remaining, resetS }: RateState) => ({
  ratelimit: `"default";r=${remaining};t=${resetS}`,
  'ratelimit-policy': `"default";q=${limit};w=1`,
})

/** The limit that counts one request. */
export type CountedRate = Readonly<{
  onTaken: (state: RateState) => void
  /** Sets the fields on the response, if a limit counted the request. */
  setHeaders: (headers: Headers) => void
}>

export const createCountedRate = (): CountedRate => {
  let taken: RateState | null = null
  return {
    onTaken: (state) => {
      taken = state
    },
    setHeaders: (headers) => {
      if (taken === null) return
      for (const [name, value] of Object.entries(rateHeaders(taken))) headers.set(name, value)
    },
  }
}

/** Above this number of callers, those whose buckets are full again are forgotten. */
const MAX_BUCKETS = 10_000

/** @param now milliseconds of a steady clock */
export const createRateLimiter = (limits: RateLimits, now: () => number): RateLimiter => {
  const buckets: Record<RateClass, Map<string, Bucket>> = {
    run: new Map(),
    other: new Map(),
    anonymous: new Map(),
    hook: new Map(),
  }
  return (rateClass, caller, onTaken) => {
    const ratePerS = limits[rateClass]
    if (ratePerS === 0) return
    const known = buckets[rateClass]
    const at = now()
    if (known.size >= MAX_BUCKETS && !known.has(caller)) forgetFull(known, ratePerS, at)
    const { bucket, isAllowed, waitMs } = takeToken(known.get(caller) ?? null, ratePerS, at)
    known.set(caller, bucket)
    // a full bucket holds the tokens of one second
    const fullInS = (ratePerS - bucket.tokens) / ratePerS
    const resetS = Math.max(1, Math.ceil(isAllowed ? fullInS : waitMs / 1_000))
    onTaken?.({ limit: ratePerS, remaining: Math.floor(bucket.tokens), resetS })
    if (isAllowed) return
    throw new AppError('rate_limited', `More than ${ratePerS} requests a second. Slow down.`, {
      retryAfterS: resetS,
    })
  }
}

/** If all buckets are in use, the oldest is dropped: memory stays bounded even under a flood of addresses. */
const forgetFull = (buckets: Map<string, Bucket>, ratePerS: number, at: number): void => {
  for (const [caller, bucket] of buckets) if (isFull(bucket, ratePerS, at)) buckets.delete(caller)
  for (const caller of buckets.keys()) {
    if (buckets.size < MAX_BUCKETS) break
    buckets.delete(caller)
  }
}
