import { BlockList } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from '#core/network/public-address.ts'
import { publicIpv4Networks } from './ipv4-networks.ts'

const publicList = new BlockList()
for (const text of publicIpv4Networks()) {
  const [address = '', bits = ''] = text.split('/')
  publicList.addSubnet(address, Number(bits), 'ipv4')
}

test('an address is either private or in one of the public networks', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(publicList.check(address, 'ipv4')).toBe(isPublicAddress(address))
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  ['9.255.255.255', false],
  ['10.0.0.0', true],
  ['10.255.255.255', true],
  ['11.0.0.0', false],
  ['100.63.255.255', false],
  ['100.64.0.0', true],
  ['169.254.169.254', true],
  ['172.15.255.255', false],
  ['172.32.0.0', false],
  ['223.255.255.255', false],
  ['255.255.255.255', true],
])('%s is private: %s', (address, isPrivate) => {
  expect(publicList.check(address, 'ipv4')).toBe(!isPrivate)
})
