import { expect, test } from 'vitest'
import { createClientAddress } from './client-address.ts'

const PROXIES = ['10.0.0.0/8', '2001:db8::1']

test('a stranger’s word about its own address is not believed', () => {
  const toAddress = createClientAddress(PROXIES)
  expect(toAddress('203.0.113.9', '127.0.0.1')).toBe('203.0.113.9')
  expect(createClientAddress([])('10.1.1.1', '198.51.100.7')).toBe('10.1.1.1')
})

test('behind trusted proxies the caller is the first that none of them vouches for', () => {
  const toAddress = createClientAddress(PROXIES)
  expect(toAddress('10.0.0.2', '198.51.100.7')).toBe('198.51.100.7')
  expect(toAddress('::ffff:10.0.0.2', '1.2.3.4, 198.51.100.7, 10.9.9.9')).toBe('198.51.100.7')
  expect(toAddress('2001:db8::1', '2001:db8::77')).toBe('2001:db8::77')
})

test('a hop may have the port of its connection', () => {
  const toAddress = createClientAddress(PROXIES)
  expect(toAddress('10.0.0.2', '198.51.100.7:51234')).toBe('198.51.100.7')
  expect(toAddress('10.0.0.2', '[2001:db8::77]:443, 10.9.9.9:80')).toBe('2001:db8::77')
  expect(toAddress('10.0.0.2', '2001:db8::77')).toBe('2001:db8::77')
})

test('a text that is not an address ends the chain', () => {
  const toAddress = createClientAddress(PROXIES)
  expect(toAddress('10.0.0.2', undefined)).toBe('10.0.0.2')
  expect(toAddress('10.0.0.2', 'unknown')).toBe('10.0.0.2')
  expect(toAddress('10.0.0.2', '198.51.100.7, , 10.0.0.3')).toBe('10.0.0.3')
  expect(toAddress(null, '198.51.100.7')).toBeNull()
})

test('a proxy that is not an address is refused with its text', () => {
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '']) {
    expect(() => createClientAddress([wrong])).toThrow(`"${wrong}"`)
  }
})
