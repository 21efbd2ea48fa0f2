import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { networkFlags } from './network-rule.ts'

const [allowFlag = '', denyFlag = ''] = networkFlags(null)
const allowed = allowFlag.replace('--allow-net=', '').split(',')
const denied = denyFlag.replace('--deny-net=', '').split(',')

describe('the network rule', () => {
  it('allows by public name and public IPv4 network, and by nothing that IPv6 or a socket file would match', () => {
    expect(allowed).toEqual(expect.arrayContaining(['*.com', '*.kr', '*.dev', '*.xn--3e0b707e']))
    expect(allowed).toEqual(expect.arrayContaining(['1.0.0.0/8', '8.0.0.0/7']))
    // Deno would read an odd entry as no list at all, or as all addresses, and open everything
    expect(allowed.filter((entry) => !/^(\*\.[a-z0-9-]+|[\d.]+\/\d+)$/.test(entry))).toEqual([])
    expect(
      allowed.some((entry) => /^\*\.(local|internal|localhost|home|lan|test)$/.test(entry)),
    ).toBe(false)
    expect(allowed).not.toContain('0.0.0.0/0')
  })

  it('denies what names may resolve to: private networks and every own address', () => {
    expect(denied).toEqual(
      expect.arrayContaining(['127.0.0.0/8', '169.254.0.0/16', '[::1]', '[::]', '[fd20:ce::254]']),
    )
    for (const { address, family } of Object.values(networkInterfaces()).flatMap((a) => a ?? [])) {
      expect(denied).toContain(family === 'IPv6' ? `[${address}]` : address)
    }
  })

  it('gives no network at all where an action names none', () => {
    expect(networkFlags([])).toEqual([])
  })

  it('allows just what an action names, and denies the same as ever', () => {
    const [allow, deny] = networkFlags(['api.example.com', '*.example.org:443', '8.8.8.8'])
    expect(allow).toBe('--allow-net=api.example.com,*.example.org:443,8.8.8.8')
    expect(deny).toBe(denyFlag)
  })

  it.each([
    '',
    '*',
    'a,b',
    'a b',
    '[::1]',
    '::1',
    'unix:/x',
    'vsock:1:1',
    'http://x.com',
    'x.com:',
    '-x.com',
    'x.com/',
  ])('refuses an entry that is not a host: %j', (entry) => {
    expect(() => networkFlags(['example.com', entry])).toThrow('write host names')
  })

  it('leaves private addresses to the socket of the proxy, and opens nothing else where no host is left', () => {
    const network = ['api.example.com', '10.0.0.1', '127.0.0.1:80', 'LOCALHOST:5432']
    const [allow, deny] = networkFlags(network, '/tmp/guest/egress.sock')
    expect(allow).toBe('--allow-net=api.example.com,unix:/tmp/guest/egress.sock')
    expect(deny).toBe(denyFlag)
    expect(networkFlags(['10.0.0.1'], '/s')[0]).toBe('--allow-net=unix:/s')
    expect(networkFlags(['10.0.0.1'])).toEqual([])
    expect(() => networkFlags(network, '/tmp/a,b/s')).toThrow('set TMPDIR')
  })
})
