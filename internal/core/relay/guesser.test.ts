import { expect, it } from 'vitest'
import { guesserOf } from './guesser.ts'

it('an IPv4 address is one guesser; over IPv6 a whole network is', () => {
  expect(guesserOf('203.0.113.9')).toBe('203.0.113.9')
  expect(guesserOf(null)).toBe('unknown')
  expect(guesserOf('2001:db8:1:2::1')).toBe('2001:db8:1:2')
  expect(guesserOf('2001:db8:1:2:ffff:1:2:3')).toBe('2001:db8:1:2')
  expect(guesserOf('2001:0DB8:0001:0002::9')).toBe('2001:db8:1:2')
  expect(guesserOf('2001:db8:1:3::1')).not.toBe(guesserOf('2001:db8:1:2::1'))
  expect(guesserOf('2001:db8::1')).toBe('2001:db8:0:0')
  expect(guesserOf('::1')).toBe('0:0:0:0')
  expect(guesserOf('fe80::1%eth0')).toBe('fe80:0:0:0')
})
