import { describe, expect, test } from 'vitest'
import { createOwnHosts, hostNameOf, isHostName, isLocalHost } from './own-hosts.ts'

test.each([
  ['Shop.Example.:3000', 'shop.example'],
  ['shop.example', 'shop.example'],
  ['[::1]:3000', '[::1]'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['LOCALHOST.', 'localhost'],
])('%s names %s', (host, name) => expect(hostNameOf(host)).toBe(name))

describe('with addresses of its own', () => {
  const hosts = createOwnHosts({
    urls: ['https://SVC.example.com:8443/', 'http://10.0.0.5:3000', null, undefined],
    appsDomain: 'apps.example.com',
  })

  test.each([
    ['svc.example.com', true, true],
    ['10.0.0.5', true, true],
    ['localhost', true, true],
    ['apps.example.com', true, true],
    ['203.0.113.7', true, false],
    ['[::1]', true, true],
    ['shop.apps.example.com', false, true],
    ['a.b.apps.example.com', false, true],
    ['example.com', false, false],
    ['notapps.example.com', false, false],
    ['api.shop.example', false, false],
  ])('%s is svc’s own: %s, reserved: %s', (host, isOwn, isReserved) =>
    expect([hosts.isOwn(host), hosts.isReserved(host)]).toEqual([isOwn, isReserved]),
  )

  test('an app has a host below the domain, and no other', () => {
    expect(hosts.hostOfApp('shop')).toBe('shop.apps.example.com')
    expect(hosts.appKeyOf('shop.apps.example.com')).toBe('shop')
    expect(hosts.appKeyOf('apps.example.com')).toBeNull()
  })
})

test('svc’s own host wins over an app of the same name below the domain', () => {
  const hosts = createOwnHosts({ urls: ['https://svc.example.com'], appsDomain: 'Example.com.' })
  expect(hosts.isOwn('svc.example.com')).toBe(true)
  expect(hosts.hostOfApp('svc')).toBeNull()
  expect(hosts.hostOfApp('shop')).toBe('shop.example.com')
})

test.each(['localhost', 'apps.localhost'])(
  '%s cannot be reached from other machines',
  (appsDomain) => expect(createOwnHosts({ urls: [], appsDomain }).hostOfApp('shop')).toBeNull(),
)

test.each([
  ['api.example.com', true],
  ['a', true],
  ['-a.b', false],
  ['a b', false],
  ['127.0.0.1', false],
  ['::1', false],
  ['', false],
  ['x'.repeat(64), false],
])('%s is a host name: %s', (host, isName) => expect(isHostName(host)).toBe(isName))

test.each([
  ['localhost', true],
  ['shop.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['localhost.example.com', false],
  ['127.0.0.1.example.com', false],
  ['notlocalhost', false],
  ['203.0.113.7', false],
  ['', false],
])('whether %s means this machine: %s', (host, expected) =>
  expect(isLocalHost(host)).toBe(expected),
)
