import { describe, expect, it, test } from 'vitest'
import {
  type EgressGrant,
  isGranted,
  isNeverOpen,
  loopbackEntries,
  opensNothing,
  parseEgressGrant,
  privateEntries,
  ungrantedEntries,
} from './egress-grant.ts'

test.each([
  ['db.internal', { host: 'db.internal', port: null }],
  ['DB.internal:5432', { host: 'db.internal', port: 5_432 }],
  ['10.1.0.0/16:6379', { network: '10.1.0.0/16', port: 6_379 }],
  ['127.0.0.1:5432', { network: '127.0.0.1', port: 5_432 }],
  ['localhost:5432', { host: 'localhost', port: 5_432 }],
  ['[fd12::/16]:6379', { network: 'fd12::/16', port: 6_379 }],
  ['[fd12::1]', { network: 'fd12::1', port: null }],
])('%s is a grant', (text, grant) => expect(parseEgressGrant(text)).toEqual(grant))

test.each([
  '',
  'db:0',
  'db:65536',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8.5',
  '10.0.0.0/1e1',
  '10.0.0.0/8/24',
  '127.1',
  '0x7f000001',
  '*.internal',
  'fd12::1',
  '[fd12::/129]',
  'http://db',
  'db/16',
  'a b',
])('%j is none', (text) => expect(parseEgressGrant(text)).toBeNull())

const parse = (...texts: readonly string[]): readonly EgressGrant[] =>
  texts.map(parseEgressGrant).filter((grant) => grant !== null)

describe('a granted destination', () => {
  const all = parse('db.internal:5432', '10.1.0.0/16:6379', '192.168.7.1', '[fd12::/16]')

  it.each([
    ['db.internal', 5_432, '10.9.9.9', true],
    ['db.internal', 5_433, '10.9.9.9', false],
    ['other.internal', 5_432, '10.9.9.9', false],
    ['cache', 6_379, '10.1.255.255', true],
    ['cache', 6_380, '10.1.255.255', false],
    ['cache', 6_379, '10.2.0.0', false],
    ['192.168.7.1', 1, '192.168.7.1', true],
    ['fd12::5', 80, 'fd12::5', true],
    ['fd13::5', 80, 'fd13::5', false],
  ])('%s:%i at %s: %s', (host, port, address, isOpen) => {
    expect(isGranted(all, { host, port, address })).toBe(isOpen)
  })
})

it.each([
  '169.254.169.254',
  '169.254.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fe80::1',
  'ff02::1',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd00:42::42',
  'fd00:c1::a9fe:a9fe',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '::a00:1',
  '::ffff:0:a00:1',
  '2002:a00:1::1',
  '2001:0:a00:1::f5ff:fffe',
  '240.0.0.1',
  '192.0.0.192',
  'fe80::1%eth0',
  'db.internal',
])('no grant opens %s', (address) => {
  const all = parse('0.0.0.0/0', '[::/0]', 'metadata')
  expect(isNeverOpen(address)).toBe(true)
  expect(isGranted(all, { host: 'metadata', port: 80, address })).toBe(false)
})

it.each([
  ['169.254.169.254', true],
  ['169.254.0.0/16', true],
  ['0.0.0.0/0', false],
  ['10.0.0.0/8', false],
  ['metadata', false],
])('a grant of %s opens nothing: %s', (text, isSo) => expect(opensNothing(text)).toBe(isSo))

it('a deploy refuses private entries that nothing grants, and leaves names to the run', () => {
  const all = parse('10.1.0.0/16:6379', '127.0.0.1:5432', 'localhost')
  const network = [
    'api.example.com',
    'db.internal:5432',
    '8.8.8.8',
    '10.1.2.3',
    '10.1.2.3:6379',
    '10.1.2.3:80',
    '10.2.0.1',
    '127.0.0.1:5432',
    '127.0.0.1:5433',
    'localhost:9',
  ]
  expect(ungrantedEntries(network, all)).toEqual(['10.1.2.3:80', '10.2.0.1', '127.0.0.1:5433'])
  expect(ungrantedEntries(['localhost'], [])).toEqual(['localhost'])
})

it('entries that name the machine itself are found among all others', () => {
  const network = ['127.0.0.1', 'localhost:6379', '10.0.0.1', 'db.internal', '127.8.8.8:1']
  expect(loopbackEntries(network)).toEqual([
    { host: '127.0.0.1', port: null },
    { host: 'localhost', port: 6_379 },
    { host: '127.8.8.8', port: 1 },
  ])
  expect(loopbackEntries(null)).toEqual([])
})

it('entries that may lead to a private destination are found: written so, of a granted name, any name in a granted network', () => {
  const network = ['10.0.0.1:80', 'localhost', '8.8.8.8', 'db.internal:5432', '*.internal', 'a.com']
  const hosts = (...grants: string[]) =>
    privateEntries(network, parse(...grants)).map(({ host }) => host)
  expect(hosts()).toEqual(['10.0.0.1', 'localhost'])
  expect(hosts('db.internal')).toEqual(['10.0.0.1', 'localhost', 'db.internal', '*.internal'])
  expect(hosts('x.internal')).toEqual(['10.0.0.1', 'localhost', '*.internal'])
  expect(hosts('10.0.0.0/8')).toEqual([
    '10.0.0.1',
    'localhost',
    'db.internal',
    '*.internal',
    'a.com',
  ])
  expect(privateEntries(null, parse('10.0.0.0/8'))).toEqual([])
})
