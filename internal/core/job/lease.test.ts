import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasLostTrust, renewalTimeoutMs, renewEveryMs, trustForMs } from './lease.ts'

describe('a lease', () => {
  it('is given up by its worker before it can end, with room for two renewals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 600_000 }), (leaseMs) => {
        expect(trustForMs(leaseMs)).toBeLessThan(leaseMs)
        expect(renewEveryMs(leaseMs) * 2).toBeLessThan(trustForMs(leaseMs))
      }),
    )
  })

  it('of the default length or more outlasts one connection that falls silent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6_000, max: 600_000 }), (leaseMs) => {
        expect(renewEveryMs(leaseMs) + renewalTimeoutMs(leaseMs)).toBeLessThan(trustForMs(leaseMs))
      }),
    )
  })

  it('is trusted from before its renewal was sent', () => {
    expect(hasLostTrust(10_000, 0, 7_999)).toBe(false)
    expect(hasLostTrust(10_000, 0, 8_000)).toBe(true)
  })
})
