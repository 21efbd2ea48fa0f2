import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type NetworkInterfaceInfo, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../../test/support/dns-server.ts'
import type { Resolver } from './address-guard.ts'
import { createResolveHost, type ResolveOptions } from './resolve-host.ts'

let server: DnsServer
let folder = ''
let asked: string[] = []
beforeEach(async () => {
  server = await startDnsServer()
  folder = mkdtempSync(join(tmpdir(), 'svc-hosts-'))
  asked = []
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

type Options = Pick<ResolveOptions, 'timeoutMs' | 'interfaces' | 'ownerOf'>

const open = (
  hosts = '',
  system: Resolver = async () => ['192.0.2.9'],
  options: Options = {},
): Resolver => {
  const hostsPath = join(folder, 'hosts')
  writeFileSync(hostsPath, hosts)
  return createResolveHost({
    servers: [server.address],
    hostsPath,
    ...options,
    system: (host) => {
      asked.push(host)
      return system(host)
    },
  })
}

test('a name of the hosts file is resolved there', async () => {
  const resolve = open('# 192.0.2.1 files\n192.0.2.2\tother Files # files\n192.0.2.3 files\n')
  expect(await resolve('files')).toEqual(['192.0.2.2', '192.0.2.3'])
  expect([server.asked, asked]).toEqual([[], []])
})

test('a name that the name servers know is resolved without the threads of the system', async () => {
  server.addresses.set('a.example.com', '192.0.2.7')
  expect(await open()('a.example.com')).toEqual(['192.0.2.7'])
  expect(asked).toEqual([])
})

test('a name that they do not know is resolved by the system, in its search domains', async () => {
  expect(await open()('files')).toEqual(['192.0.2.9'])
  expect(asked).toEqual(['files'])
})

test('silent name servers of many names do not delay the others', async () => {
  server.setFault('silent')
  const resolve = open('192.0.2.2 files', undefined, { timeoutMs: 20 })
  const slow = Array.from({ length: 20 }, (_, at) => resolve(`slow${at}.example.com`))
  const settled = Promise.allSettled(slow)
  expect(await resolve('files')).toEqual(['192.0.2.2'])
  expect((await settled).every(({ status }) => status === 'rejected')).toBe(true)
  expect(asked).toEqual([])
})

test('only one name at a time uses the threads of the system, and few wait', async () => {
  const first = Promise.withResolvers<readonly string[]>()
  const resolve = open('', () => first.promise)
  let refused = 0
  const all = Array.from({ length: 20 }, async (_, at) => {
    const found = resolve(`name${at}`)
    await found.catch(() => {
      refused += 1
    })
  })
  // the answers of the name servers arrive one by one
  await expect.poll(() => refused).toBe(12)
  expect(asked).toHaveLength(1)
  first.resolve(['192.0.2.9'])
  await Promise.all(all)
  expect([refused, asked.length]).toEqual([12, 8])
})

test('an owner with many slow names leaves places and turns to others', async () => {
  const answers: ((found: readonly string[]) => void)[] = []
  const system: Resolver = () => new Promise((resolve) => answers.push(resolve))
  let owner = 'slow'
  const resolve = open('', system, { ownerOf: () => owner })
  let refused = 0
  const slow = Array.from({ length: 20 }, (_, at) =>
    resolve(`slow${at}`).catch(() => {
      refused += 1
    }),
  )
  await expect.poll(() => refused).toBe(12)
  owner = 'other'
  const other = resolve('files')
  // it takes the place of a name of the first owner
  await expect.poll(() => refused).toBe(13)
  answers[0]?.(['192.0.2.1'])
  await expect.poll(() => asked.length).toBe(2)
  answers[1]?.(['192.0.2.2'])
  await expect.poll(() => asked.length).toBe(3)
  // the second name of the first owner was before it in turn, and no other
  expect(asked.slice(1, 3)).toContain('files')
  for (let at = 2; at < 8; at += 1) {
    await expect.poll(() => answers.length).toBeGreaterThan(at)
    answers[at]?.(['192.0.2.3'])
  }
  await Promise.all([...slow, other])
  expect(refused).toBe(13)
})

test('callers of one name share its wait for the system', async () => {
  const resolve = open()
  const all = await Promise.all(Array.from({ length: 20 }, () => resolve('files')))
  expect(new Set(all.flat())).toEqual(new Set(['192.0.2.9']))
})

const interfacesOf = (...addresses: readonly string[]) =>
  Object.fromEntries(
    addresses.map((address) => {
      const family = address.includes(':') ? 'IPv6' : 'IPv4'
      const internal = address === '127.0.0.1' || address === '::1'
      return [address, [{ address, family, internal } as NetworkInterfaceInfo]]
    }),
  )

test.each([
  ['IPv4', ['127.0.0.1', '::1'], 'without a network'],
  ['IPv4', ['127.0.0.1', '192.0.2.5'], 'without IPv6'],
  ['IPv4', ['192.0.2.5', '2001:db8::5'], 'with both'],
  ['IPv6', ['127.0.0.1', '::1', '2001:db8::5'], 'with IPv6 only'],
])('%s is first among the addresses %o: a machine %s', async (family, own) => {
  const hosts = '::1 both\n127.0.0.1 both'
  const resolve = open(hosts, undefined, { interfaces: () => interfacesOf(...own) })
  const [first] = await resolve('both')
  expect(first).toBe(family === 'IPv4' ? '127.0.0.1' : '::1')
})
