/**
 * How fast jobs may call svc (for their state or links of an approval). svc answers a call beyond the rate, but does not
 * read the job's output until the rate allows it. So a job that continues to write waits.
 */
import { limit } from '#core/limit.ts'

export type RateBounds = Readonly<{
  perS: number
  /** Requests that may come at once after a pause. */
  burst: number
}>

/** The rate of one job. A job that stays below it never waits. */
export const JOB_REQUESTS: RateBounds = { perS: 500, burst: 1_000 }
/** The rate of all jobs of this process together. */
const NODE_REQUESTS: RateBounds = { perS: 2_000, burst: 4_000 }
export const MAX_REQUESTS_OF_JOB = limit(
  'job.requests',
  100_000,
  'times',
  'Requests of a job to svc (`ctx.state`, logs). More: the job fails.',
)
/** A value costs one request per full piece of this size, plus one. */
const PIECE_BYTES = 16_384

/** The longest single wait; the rest of the debt remains. */
const MAX_WAIT_MS = 1_000

/** The cost of one call: 1, plus 1 for each full piece of its bytes. */
export const requestCost = (bytes: number): number => 1 + Math.floor(bytes / PIECE_BYTES)

export interface Bucket {
  /** @returns milliseconds to wait before taking more; 0 if there is no need to wait */
  take(cost: number): number
}

/** @param now milliseconds of a monotonic clock */
export const createBucket = ({ perS, burst }: RateBounds, now: () => number): Bucket => {
  let left = burst
  let at = now()
  return {
    take: (cost) => {
      const time = now()
      left = Math.min(burst, left + (Math.max(0, time - at) / 1_000) * perS) - cost
      at = time
      return left >= 0 ? 0 : Math.min(MAX_WAIT_MS, (-left / perS) * 1_000)
    },
  }
}

const ofNode = createBucket(NODE_REQUESTS, () => performance.now())

/** The rate of one job, limited by that of the node too. */
export const createJobRate = (): Bucket => {
  const ofJob = createBucket(JOB_REQUESTS, () => performance.now())
  return { take: (cost) => Math.max(ofJob.take(cost), ofNode.take(cost)) }
}
