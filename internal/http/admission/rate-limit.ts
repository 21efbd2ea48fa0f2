/**
 * Rate limits of this process: a token bucket for each credential, each webhook, and each address that shows neither (contract, Wire
 * rules). They keep one caller from starving the others; guesses at passwords and codes are limited elsewhere, by rows.
 */
import { AppError } from '#core/error.ts'
import { type Bucket, isFull, takeToken } from '#core/token-bucket.ts'

/** Requests a second; 0 turns a limit off. */
export type RateLimits = Readonly<{
  runPerS: number
  otherPerS: number
  anonymousPerS: number
  /** Limits the deliveries of each webhook. */
  hookPerS: number
}>

export type RateClass = 'run' | 'other' | 'anonymous' | 'hook'

/** What is left of a caller's limit after a request. */
export type RateState = Readonly<{
  /** Requests a second. */
  limit: number
  remaining: number
  /** Seconds until the whole limit is there again; of a refused request, until the next may come. */
  resetS: number
}>

/**
 * @param onTaken gets the state, also when the request is refused; not called where the limit is off
 * @throws {AppError} rate_limited
 */
export type RateLimiter = (
  rateClass: RateClass,
  caller: string,
  onTaken?: (state: RateState) => void,
) => void

/** The fields of draft-ietf-httpapi-ratelimit-headers: a quota of `limit` requests in a window of one second. */
export const rateHeaders = ({ limit, remaining, resetS }: RateState) => ({
  ratelimit: `"default";r=${remaining};t=${resetS}`,
  'ratelimit-policy': `"default";q=${limit};w=1`,
})

/** Beyond so many callers those are forgotten whose buckets are full again. */
const MAX_BUCKETS = 10_000

/** @param now milliseconds of a steady clock */
export const createRateLimiter = (limits: RateLimits, now: () => number): RateLimiter => {
  const rates = {
    run: limits.runPerS,
    other: limits.otherPerS,
    anonymous: limits.anonymousPerS,
    hook: limits.hookPerS,
  } as const
  const buckets: Record<RateClass, Map<string, Bucket>> = {
    run: new Map(),
    other: new Map(),
    anonymous: new Map(),
    hook: new Map(),
  }
  return (rateClass, caller, onTaken) => {
    const ratePerS = rates[rateClass]
    if (ratePerS === 0) return
    const known = buckets[rateClass]
    const at = now()
    if (known.size >= MAX_BUCKETS && !known.has(caller)) forgetFull(known, ratePerS, at)
    const { bucket, isAllowed, waitMs } = takeToken(known.get(caller) ?? null, ratePerS, at)
    known.set(caller, bucket)
    // a full bucket is one second's worth
    const fullInS = (ratePerS - bucket.tokens) / ratePerS
    const resetS = Math.max(1, Math.ceil(isAllowed ? fullInS : waitMs / 1_000))
    onTaken?.({ limit: ratePerS, remaining: Math.floor(bucket.tokens), resetS })
    if (isAllowed) return
    throw new AppError('rate_limited', `More than ${ratePerS} requests a second. Slow down.`, {
      retryAfterS: resetS,
    })
  }
}

/** When all are in use the oldest goes: memory stays bounded even under a flood of addresses. */
const forgetFull = (buckets: Map<string, Bucket>, ratePerS: number, at: number): void => {
  for (const [caller, bucket] of buckets) if (isFull(bucket, ratePerS, at)) buckets.delete(caller)
  for (const caller of buckets.keys()) {
    if (buckets.size < MAX_BUCKETS) break
    buckets.delete(caller)
  }
}
