import { expect, it } from 'vitest'
import { networkEntryFault } from './network-entry.ts'

it.each([
  'api.example.com',
  'api.example.com:8443',
  '*.example.org',
  '*.example.org:443',
  '8.8.8.8',
  '8.8.8.8:53',
  'db_1.example.com',
  'xn--3e0b707e.example',
  // private ones, which a deploy refuses unless they are granted
  '127.0.0.1:7821',
  '10.0.0.1',
  'localhost',
  'localhost:5432',
])('%s may be named', (entry) => {
  expect(networkEntryFault(entry)).toBeNull()
})

it.each([
  ['169.254.169.254', 'not a public address'],
  ['0.0.0.0:80', 'not a public address'],
  ['127.1', 'must be written as 127.0.0.1'],
  ['2130706433', 'must be written as 127.0.0.1'],
  ['0x7f000001', 'must be written as 127.0.0.1'],
  ['x.localhost', 'not a public address'],
  ['*.localhost', 'not a public address'],
  ['134744072', 'must be written as 8.8.8.8'],
  ['*.8.8.8.8', 'wildcards are for names'],
  ['1.2.3.400', 'neither an IPv4 address'],
  ['example.com:0', 'no port'],
  ['example.com:65536', 'no port'],
  ['[::1]', 'write host names'],
  ['http://example.com', 'write host names'],
  ['', 'write host names'],
])('%j can never work: %s', (entry, fault) => {
  expect(networkEntryFault(entry)).toContain(fault)
})
