import { expect, test } from 'vitest'
import { newTotpSecret, totpInterval, totpUri } from './totp.ts'

/** `12345678901234567890` of RFC 6238, appendix B; its codes are the last six of the eight digits there. */
const RFC = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
])('at %d s the code is %s, one interval early and late too', (seconds, code) => {
  const interval = Math.floor(seconds / 30)
  for (const off of [-30, 0, 30]) {
    expect(totpInterval(RFC, code, (seconds + off) * 1_000)).toBe(interval)
  }
  expect(totpInterval(RFC, code, (seconds + 90) * 1_000)).toBeNull()
})

test('a secret is new each time, and goes into the address that apps read', () => {
  const [one, other] = [newTotpSecret(), newTotpSecret()]
  expect(one).toMatch(/^[A-Z2-7]{32}$/)
  expect(one).not.toBe(other)
  const uri = new URL(totpUri(one, 'ada@example.com'))
  expect([uri.protocol, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    expect.stringContaining('svc:ada@example.com'),
  ])
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: one, issuer: 'svc' })
  expect(totpInterval(one, '12345', Date.now())).toBeNull()
})
