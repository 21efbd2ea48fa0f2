import { expect, test } from 'vitest'
import { isNeverReached, isPublicAddress } from './public-address.ts'

test.each([
  ['93.184.215.14', true],
  ['9.255.255.255', true],
  ['11.0.0.0', true],
  ['172.32.0.0', true],
  ['2606:2800:21f:cb07::1', true],
  ['2001:4860:4860::8888', true],
  ['2a00:1450::', true],
  ['10.0.0.0', false],
  ['100.127.255.255', false],
  ['255.255.255.255', false],
  ['168.63.129.15', true],
  ['168.63.129.16', false],
  ['::', false],
  ['::1', false],
  ['::ffff:93.184.215.14', false],
  ['::FFFF:5db8:d70e', false],
  ['::93.184.215.14', false],
  ['64:ff9b::5db8:d70e', false],
  ['2002:5db8:d70e::', false],
  ['2001::1', false],
  ['fc00::1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['ff02::1', false],
  ['010.8.8.8', false],
  ['8.8.8', false],
  ['8.8.8.256', false],
  ['example.com', false],
  ['', false],
])('%s is public: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))

test.each([
  ['a mapped one', '::ffff:a9fe:a9fe', '::ffff:a00:1'],
  ['a compatible one', '::a9fe:a9fe', '::a00:1'],
  ['a translated one', '::ffff:0:a9fe:a9fe', '::ffff:0:a00:1'],
  ['NAT64', '64:ff9b::a9fe:a9fe', '64:ff9b::a00:1'],
  ['NAT64 of a local prefix', '64:ff9b:1::a9fe:a9fe', '64:ff9b:1::a00:1'],
  ['NAT64 of a local /48', '64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:a00:0:100::'],
  ['NAT64 of a local /56', '64:ff9b:1:a9:fe:a9fe::', '64:ff9b:1:a:0:1::'],
  ['NAT64 of a local /64', '64:ff9b:1:0:a9:fea9:fe00::', '64:ff9b:1:0:a:0:100::'],
  ['6to4', '2002:a9fe:a9fe::1', '2002:a00:1::1'],
  ['Teredo', '2001:0:808:808::5601:5601', '2001:0:808:808::f5ff:fffe'],
  ['the server of Teredo', '2001:0:a9fe:a9fe::f5ff:fffe', '2001:0:a00:1::f5ff:fffe'],
])('an IPv4 address that nothing may reach is found in %s', (_, metadata, privateOne) => {
  expect([isNeverReached(metadata), isNeverReached(privateOne)]).toEqual([true, false])
  expect([isPublicAddress(metadata), isPublicAddress(privateOne)]).toEqual([false, false])
})

test.each(['::ffff:0.0.0.0', '::ffff:0:0:0', '64:ff9b:1::', '::'])(
  'nothing may reach %s',
  (address) => expect(isNeverReached(address)).toBe(true),
)

test('loopback contains no IPv4 address', () => expect(isNeverReached('::1')).toBe(false))
