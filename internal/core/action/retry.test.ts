import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_RETRY_DELAY_MS, type RetryPolicy, retryDelayMs } from './retry.ts'

const policies = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 20 }),
  delayMs: fc.integer({ min: 0, max: 100_000 }),
  backoffFactor: fc.double({ min: 1, max: 10, noNaN: true }),
  maxDelayMs: fc.option(fc.integer({ min: 0, max: MAX_RETRY_DELAY_MS }), { nil: undefined }),
  jitter: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
})
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const error = { name: 'Error' }

/** The delay in the middle of the jitter. */
const delayAfter = (policy: RetryPolicy | null, failures: number): number | null =>
  retryDelayMs(policy, { failures, error, random: 0.5 })

describe('retry', () => {
  it('allows no second try without a policy', () => {
    expect(delayAfter(null, 1)).toBeNull()
  })

  it('waits longer each time by the factor', () => {
    const policy = { maxAttempts: 4, delayMs: 1_000, backoffFactor: 2 }
    expect([1, 2, 3, 4].map((failures) => delayAfter(policy, failures))).toEqual([
      1_000,
      2_000,
      4_000,
      null,
    ])
  })

  it('waits no longer than maxDelayMs, and the jitter comes after it', () => {
    const policy = { maxAttempts: 9, delayMs: 1_000, backoffFactor: 10, maxDelayMs: 5_000 }
    expect(delayAfter(policy, 3)).toBe(5_000)
    const jittered = { ...policy, jitter: 0.2 }
    expect(retryDelayMs(jittered, { failures: 3, error, random: 0 })).toBe(4_000)
    expect(retryDelayMs(jittered, { failures: 3, error, random: 0.999_999 })).toBe(6_000)
  })

  it('does not try again after an error that notOn names, nor after a final one', () => {
    const policy = { maxAttempts: 9, delayMs: 0, backoffFactor: 1, notOn: ['CardDeclined'] }
    const attempt = { failures: 1, random: 0.5 }
    expect(retryDelayMs(policy, { ...attempt, error: { name: 'CardDeclined' } })).toBeNull()
    expect(retryDelayMs(policy, { ...attempt, error: { name: 'carddeclined' } })).toBe(0)
    expect(retryDelayMs(policy, { ...attempt, error, isFinal: true })).toBeNull()
  })

  it('tries maxAttempts times in all and never waits more than a day', () => {
    fc.assert(
      fc.property(policies, randoms, (policy, random) => {
        let tries = 1
        for (let failures = 1; ; failures += 1) {
          const delay = retryDelayMs(policy, { failures, error, random })
          if (delay === null) break
          expect(delay).toBeGreaterThanOrEqual(0)
          expect(delay).toBeLessThanOrEqual(MAX_RETRY_DELAY_MS)
          const { jitter = 0, maxDelayMs = MAX_RETRY_DELAY_MS } = policy
          expect(delay).toBeLessThanOrEqual(Math.ceil(maxDelayMs * (1 + jitter)))
          tries += 1
        }
        expect(tries).toBe(policy.maxAttempts)
      }),
    )
  })
})
