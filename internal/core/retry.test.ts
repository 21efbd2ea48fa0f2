import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_RETRY_DELAY_MS, retryDelayMs } from './retry.ts'

const policies = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 20 }),
  delayMs: fc.integer({ min: 0, max: 100_000 }),
  backoffFactor: fc.double({ min: 1, max: 10, noNaN: true }),
})

describe('retry', () => {
  it('allows no second try without a policy', () => {
    expect(retryDelayMs(null, 1)).toBeNull()
  })

  it('waits longer each time by the factor', () => {
    const policy = { maxAttempts: 4, delayMs: 1_000, backoffFactor: 2 }
    expect([1, 2, 3, 4].map((failures) => retryDelayMs(policy, failures))).toEqual([
      1_000,
      2_000,
      4_000,
      null,
    ])
  })

  it('tries maxAttempts times in all and never waits more than a day', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        let tries = 1
        for (let failures = 1; ; failures += 1) {
          const delay = retryDelayMs(policy, failures)
          if (delay === null) break
          expect(delay).toBeLessThanOrEqual(MAX_RETRY_DELAY_MS)
          tries += 1
        }
        expect(tries).toBe(policy.maxAttempts)
      }),
    )
  })
})
