import { describe, expect, it, test } from 'vitest'
import { describeDestination, isNamed, parseDestination } from './destination.ts'

test.each([
  ['example.com:443', 'example.com', 443],
  ['EXAMPLE.com.:443', 'example.com', 443],
  ['http://example.com/a?b', 'example.com', 80],
  ['http://example.com:8080/', 'example.com', 8_080],
  ['[2606::1]:443', '2606::1', 443],
  ['127.1:80', '127.0.0.1', 80],
  ['0x7f000001:80', '127.0.0.1', 80],
  ['2130706433:80', '127.0.0.1', 80],
  ['[::ffff:127.0.0.1]:80', '::ffff:7f00:1', 80],
  ['ｅxample.com:80', 'example.com', 80],
])('%s is %s, port %i', (text, host, port) => {
  expect(parseDestination(text)).toEqual({ host, port })
})

test.each([
  '',
  ':80',
  'https://example.com/',
  'ftp://example.com',
  'http://u:p@example.com/',
  'a b:80',
  '/path',
  'example.com:99999',
])('%j is not a destination', (text) => expect(parseDestination(text)).toBeNull())

it('is written with brackets where it needs them', () => {
  expect(describeDestination({ host: '::1', port: 80 })).toBe('[::1]:80')
})

describe('an action’s network', () => {
  const at = (host: string, port = 443) => ({ host, port })
  it('names hosts, those below one, and perhaps a port', () => {
    const network = ['api.example.com', '*.example.org', 'db.example.net:5432']
    expect(isNamed(network, at('api.example.com'))).toBe(true)
    expect(isNamed(network, at('x.api.example.com'))).toBe(false)
    expect(isNamed(network, at('a.b.example.org'))).toBe(true)
    expect(isNamed(network, at('example.org'))).toBe(false)
    expect(isNamed(network, at('badexample.org'))).toBe(false)
    expect(isNamed(network, at('db.example.net', 5_432))).toBe(true)
    expect(isNamed(network, at('db.example.net'))).toBe(false)
  })
  it('is everything when it names nothing in particular', () => {
    expect(isNamed(null, at('anything.example'))).toBe(true)
  })
})
