import { expect, test } from 'vitest'
import { toSyncAddress } from './sync-address.ts'

test.each([
  ['http://db:8080', 'http://db:8080'],
  ['https://db.example.com/path', 'https://db.example.com/path'],
  ['ws://db:8080', 'http://db:8080'],
  ['wss://db.example.com', 'https://db.example.com'],
  ['libsql://db.example.com', 'https://db.example.com'],
  ['libsql://db:8080?tls=0', 'http://db:8080'],
  ['ws://db:8080?tls=0', 'http://db:8080'],
])('%s is copied from %s', (url, syncUrl) => {
  expect(toSyncAddress({ url })).toEqual({ syncUrl, authToken: '' })
})

test('a token in the address goes before the other one, as for the connection', () => {
  const url = 'libsql://db.example.com?authToken=in-url'
  const syncUrl = 'https://db.example.com'
  expect(toSyncAddress({ url, authToken: 'other' })).toEqual({ syncUrl, authToken: 'in-url' })
  expect(toSyncAddress({ url: syncUrl, authToken: 'other' })).toEqual({
    syncUrl,
    authToken: 'other',
  })
})
