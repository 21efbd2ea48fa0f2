import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../../test/support/dns-server.ts'
import { createLookUpTxt, type LookUpTxt } from './look-up-txt.ts'

let server: DnsServer
let lookUp: LookUpTxt
beforeEach(async () => {
  server = await startDnsServer()
  lookUp = createLookUpTxt({ servers: [server.address], timeoutMs: 100 })
})
afterEach(() => server.close())

test('reads the records of a name, including long ones', async () => {
  server.records.set('_svc.example.com', ['one', 'x'.repeat(600)])
  expect(await lookUp('_svc.example.com')).toEqual({
    kind: 'answered',
    records: ['one', 'x'.repeat(600)],
  })
})

test('a name that has no TXT records, or does not exist, has none', async () => {
  server.records.set('empty.example.com', [])
  const none = { kind: 'answered', records: [] }
  expect(await lookUp('empty.example.com')).toEqual(none)
  expect(await lookUp('gone.example.com')).toEqual(none)
})

test.each(['silent', 'refused'] as const)('a server that is %s gives no answer', async (fault) => {
  server.setFault(fault)
  expect(await lookUp('a.example.com')).toEqual({ kind: 'silent' })
})

test('an invalid server is refused with the name of the setting', () =>
  expect(() => createLookUpTxt({ servers: ['dns.example.com'] })).toThrow('SVC_DNS_SERVERS'))
