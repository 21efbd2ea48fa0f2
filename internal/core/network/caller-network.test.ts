import { expect, test } from 'vitest'
import { callerNetworkOf, callerSiteOf } from './caller-network.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  [null, 'unknown'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:1:2:3', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['0:0:0:0:0:FFFF:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
])('%s is counted as %s', (address, network) => expect(callerNetworkOf(address)).toBe(network))

test('a site is a /48 over IPv6, and one address over IPv4', () => {
  expect(callerSiteOf('2001:db8:1:2::1')).toBe('2001:db8:1::/48')
  expect(callerSiteOf('203.0.113.9')).toBe('203.0.113.9')
})
