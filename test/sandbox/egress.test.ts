/**
 * The network of jobs that the operating system confines: all of it goes through the host's proxy. Servers of this test
 * play the internet. They have public addresses, to which only the test's dialer leads.
 */
import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import { connect, createServer as createTcpServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bundleEntries } from '#bundle/bundle-entries.ts'
import type { EgressOptions } from '#sandbox/egress/proxy.ts'
import { isOpenAddress } from '#sandbox/egress/resolve.ts'
import { RELAY } from '#sandbox/protocol/messages.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { portOf } from '../support/port-of.ts'
import { TLS_CERT, TLS_KEY } from '../support/tls-pair.ts'
import { bubblewrapProvider, errorOf, main, openPool, resultOf, runJob, tryAll } from './job.ts'

const WEB = '93.184.215.14'
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'web.example.com': [WEB],
  'mixed.example.com': [WEB, '127.0.0.1'],
  'inside.example.com': ['10.0.0.7'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
}

let web: HttpServer
let secure: HttpsServer
let echo: Server
/** Number of connections to this machine, which no job may make. */
let arrived = 0
let trap: Server

beforeAll(async () => {
  web = createServer((request, response) => {
    let size = 0
    request.on('data', (part: Uint8Array) => {
      size += part.length
    })
    request.on('end', () => {
      if (request.url === '/endless') {
        const more = (): void => {
          while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return
          response.once('drain', more)
        }
        more()
      } else response.end(`${request.method} ${request.url} ${request.headers.host} ${size}`)
    })
  }).listen(0)
  secure = createHttpsServer({ key: TLS_KEY, cert: TLS_CERT }, (request, response) => {
    response.end(`secret ${request.url} ${request.headers.host}`)
  }).listen(0)
  echo = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('hello ')
    socket.pipe(socket)
  }).listen(0)
  trap = createTcpServer((socket) => {
    arrived += 1
    socket.destroy()
  }).listen(0, '::')
  await Promise.all([web, secure, echo, trap].map((server) => once(server, 'listening')))
})
afterAll(() => {
  for (const server of [web, secure, echo, trap]) server.close()
  web.closeAllConnections()
})

const pools: Sandbox[] = []
const dialed: string[] = []
const asked: string[] = []

const internet = (changes: EgressOptions = {}): Sandbox => {
  const pool = openPool(
    bubblewrapProvider({
      resolve: async (host) => {
        asked.push(host)
        return NAMES[host] ?? []
      },
      dial: async ([address = ''], port) => {
        dialed.push(`${address}:${port}`)
        const socket = connect(
          portOf(port === 80 ? web : port === 443 ? secure : echo),
          '127.0.0.1',
        )
        await once(socket, 'connect')
        return socket
      },
      ...changes,
    }),
  )
  pools.push(pool)
  return pool
}
afterEach(async () => {
  dialed.length = 0
  asked.length = 0
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

const TALK = `
  const text = async (conn) => { const b = new Uint8Array(100); let s = ''; while (s.length < 10) { const n = await conn.read(b); if (n === null) break; s += new TextDecoder().decode(b.subarray(0, n)) } conn.close(); return s }`

describe('a job when confined reaches a public host', () => {
  it('by fetch, with body and headers, and by node:http', async () => {
    const pool = internet()
    const code = main(`
      const body = new Uint8Array(300_000)
      const first = await (await fetch('http://web.example.com/a?b=c', { method: 'POST', body })).text()
      const { get } = await import('node:http')
      const second = await new Promise((resolve, reject) => get('http://web.example.com/d', (answer) => {
        answer.setEncoding('utf8').on('data', resolve) }).on('error', reject))
      return [first, second]`)
    expect(await resultOf(pool, { code })).toEqual([
      'POST /a?b=c web.example.com 300000',
      'GET /d web.example.com 0',
    ])
    expect(new Set(dialed)).toEqual(new Set([`${WEB}:80`]))
  })

  it('by node:https, as packages do that were written for Node', async () => {
    const pool = internet()
    const code = main(`
      const { get } = await import('node:https')
      return new Promise((resolve, reject) => get('https://web.example.com/e', { rejectUnauthorized: false }, (answer) => {
        answer.setEncoding('utf8').on('data', resolve) }).on('error', reject))`)
    expect(await resultOf(pool, { code })).toBe('secret /e web.example.com')
    expect(dialed).toEqual([`${WEB}:443`])
  })

  it('by Deno.connect and node:net, and asks the name once each time', async () => {
    const pool = internet()
    const code = `import { connect } from 'node:net'\n${main(`${TALK}
      const conn = await Deno.connect({ hostname: 'web.example.com', port: 5432 })
      await conn.write(new TextEncoder().encode('deno'))
      const first = await text(conn)
      const second = await new Promise((resolve, reject) => {
        let answer = ''
        const socket = connect(5432, 'web.example.com')
        socket.on('error', reject)
        socket.on('data', (part) => { answer += part; if (answer.length >= 10) { socket.destroy(); resolve(answer) } })
        socket.write('node')
      })
      return [first, second]`)}`
    expect(await resultOf(pool, { code })).toEqual(['hello deno', 'hello node'])
    expect(dialed).toEqual([`${WEB}:5432`, `${WEB}:5432`])
    expect(asked).toEqual(['web.example.com', 'web.example.com'])
  })

  it('by node:net that is loaded by a name known at run time', async () => {
    const code = `const load = (name) => process.getBuiltinModule(name)
      ${main(`
      const { connect } = load('node:net')
      return await new Promise((resolve, reject) => connect(5432, 'web.example.com').on('data', (part) => resolve(String(part))).on('error', reject))`)}`
    const limits = { network: ['web.example.com:5432'] }
    expect(await resultOf(internet(), { code, limits })).toBe('hello ')
  })

  it('by a name that its client looks up first, which the proxy resolves', async () => {
    const code = `import { connect } from 'node:net'
      import dns from 'node:dns'
      import { promisify } from 'node:util'
      ${main(`
      const address = await new Promise((resolve, reject) =>
        dns.lookup('web.example.com', (error, found) => error ? reject(error) : resolve(found)))
      const [{ address: same }] = await dns.promises.lookup('web.example.com', { all: true })
      const { address: again } = await promisify(dns.lookup)('web.example.com')
      const answer = await new Promise((resolve, reject) => connect(5432, address).on('data', (part) => resolve(String(part))).on('error', reject))
      return [answer, same === address, again === address]`)}`
    const limits = { network: ['web.example.com:5432'] }
    expect(await resultOf(internet(), { code, limits })).toEqual(['hello ', true, true])
    expect(asked).toEqual(['web.example.com'])
  })

  it('by a name that code looks up without sockets, whatever the import', async () => {
    const [entry] = await bundleEntries(
      new Map([
        [
          'main.ts',
          new TextEncoder().encode(`import { lookup } from 'node:dns'
            import * as all from 'dns'
            import { lookup as later } from 'node:dns/promises'
            import { promisify } from 'node:util'
            const name = 'web.example.com'
            export const main = async () => new Set([(await promisify(lookup)(name)).address,
              (await promisify(all.lookup)(name)).address, (await later(name)).address]).size`),
        ],
      ]),
      ['main.ts'],
    )
    const { code = '' } = (await entry?.loadCode()) ?? {}
    expect(await resultOf(internet(), { code })).toBe(1)
  })

  it('but queries no name server, and gets the remedy', async () => {
    const attempts = {
      later: `dns.promises.resolveSrv('_mongodb._tcp.example.com')`,
      now: `promisify(dns.resolveMx)('web.example.com')`,
      resolver: `promisify(new dns.Resolver().resolve4.bind(new dns.Resolver()))('web.example.com')`,
      'later resolver': `new dns.promises.Resolver().resolve('web.example.com')`,
      back: `dns.promises.reverse('${WEB}')`,
    }
    const prelude = `import dns from 'node:dns'\nimport { promisify } from 'node:util'`
    for (const [name, result] of Object.entries(await tryAll(internet(), attempts, { prelude }))) {
      expect([name, result]).toEqual([name, expect.stringContaining('has no name server')])
    }
  })

  it('that its action names, and no other', async () => {
    const pool = internet()
    const reach = (host: string, port: number) =>
      `Deno.connect({ hostname: '${host}', port: ${port} }).then((conn) => { conn.close(); return 'reached' })`
    const attempts = {
      named: reach('web.example.com', 5432),
      'another port': reach('web.example.com', 80),
      'another name': reach('mixed.example.com', 5432),
      'its address': reach(WEB, 5432),
    }
    const results = await tryAll(pool, attempts, {
      limits: { network: ['web.example.com:5432', '*.example.org'] },
    })
    expect(results.named).toBe('open: reached')
    for (const name of Object.keys(attempts).slice(1)) {
      expect(results[name]).toContain('does not name it')
    }
    expect(dialed).toEqual([`${WEB}:5432`])
  })

  it('not at all when its action names none', async () => {
    const pool = internet()
    const attempts = {
      fetch: `fetch('http://web.example.com/')`,
      connect: `Deno.connect({ hostname: '${WEB}', port: 80 })`,
      relay: `Deno.connect(${JSON.stringify(RELAY)})`,
    }
    const results = await tryAll(pool, attempts, { limits: { network: [] } })
    expect(Object.values(results).join()).not.toContain('open')
    expect([...dialed, ...asked]).toEqual([])
  })
})

describe('a job when confined does not reach', () => {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address.replace(/%.*/, ''))

  it('this machine or a private one, by any spelling, client, name or answer', async () => {
    // the rules, the resolver and the dialer are real; only the names are not
    const pool = internet({ dial: async () => Promise.reject(new Error('It was dialed.')) })
    arrived = 0
    const port = portOf(trap)
    const hosts = [
      ...['127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', 'LOCALHOST.', '::ffff:7f00:1'],
      ...[
        '10.0.0.1',
        '100.64.0.1',
        '169.254.169.254',
        '172.16.0.1',
        '192.168.0.1',
        'fd00:ec2::254',
      ],
      ...[
        '64:ff9b::7f00:1',
        '2002:7f00:1::1',
        'fe80::1',
        'ff02::1',
        'metadata.google.internal',
        'db',
      ],
      ...['mixed.example.com', 'inside.example.com', 'mapped.example.com'],
      ...own,
    ]
    const shown = (host: string): string => (host.includes(':') ? `[${host}]` : host)
    const attempts = Object.fromEntries(
      hosts.flatMap((host) => [
        [
          `connect ${host}`,
          `Deno.connect({ hostname: '${host}', port: ${port} }).then((c) => { c.close(); return 'reached' })`,
        ],
        [`fetch ${host}`, `fetch('http://${shown(host)}:${port}/').then((r) => r.status)`],
        [
          `tunnel ${host}`,
          `(async () => { const c = await Deno.connect(${JSON.stringify(RELAY)}); await c.write(new TextEncoder().encode('CONNECT ${shown(host)}:${port} HTTP/1.1\\r\\n\\r\\n')); const b = new Uint8Array(50); const n = await c.read(b); c.close(); const s = new TextDecoder().decode(b.subarray(0, n)); if (!s.startsWith('HTTP/1.1 2')) throw new Error(s); return s })()`,
        ],
      ]),
    )
    const results = Object.entries(await tryAll(pool, attempts))
    const open = results.filter(([, result]) => result.startsWith('open: '))
    expect(open).toEqual([])
    expect(arrived).toBe(0)
  })

  it('a private address by https, and gets the reason', async () => {
    const attempts = {
      fetch: `fetch('https://inside.example.com/')`,
      node: `new Promise((resolve, reject) => get('https://inside.example.com/', resolve).on('error', reject))`,
    }
    const reason =
      'svc does not let this job reach inside.example.com:443: It is not a public address. Name it in "network", and let an operator grant it.'
    const prelude = `import { get } from 'node:https'`
    expect(await tryAll(internet(), attempts, { prelude })).toEqual({
      fetch: expect.stringContaining(`TypeError: ${reason}`),
      node: expect.stringContaining(`PermissionDenied: ${reason}`),
    })
  })

  it('a private address, and its log has the reason, although the code hides the error', async () => {
    const hidden = `const hide = (act) => act().then(() => 'open', () => 'hidden')
      const connect = (host, port) => new Promise((resolve, reject) => net.connect(port, host).on('connect', resolve).on('error', reject))
      return [await hide(() => fetch('https://inside.example.com/')), await hide(() => fetch('http://inside.example.com/')),
        await hide(() => connect('inside.example.com', 1433))]`
    const code = `import net from 'node:net'\n${main(hidden)}`
    const { outcome, log } = await runJob(internet(), { code })
    expect(outcome).toMatchObject({ resultJson: '["hidden","hidden","hidden"]' })
    for (const place of [
      'inside.example.com:443',
      'inside.example.com',
      'inside.example.com:1433',
    ]) {
      expect(log).toContain(
        `svc does not let this job reach ${place}: It is not a public address. Name it in "network", and let an operator grant it.`,
      )
    }
  })

  it('a private address by a WebSocket, and gets the reason before the close', async () => {
    const open = (address: string): string => `new Promise((resolve) => {
      const events = []
      const socket = new WebSocket('${address}')
      socket.onerror = ({ message, error }) => events.push(message, error.message === message)
      socket.onclose = (event) => resolve([...events, event.code].join(' | '))
    })`
    const {
      plain = '',
      tls = '',
      own = '',
    } = await tryAll(internet(), {
      plain: open('ws://inside.example.com/'),
      tls: open('wss://inside.example.com/a'),
      own: '(globalThis.WebSocket = Array, new WebSocket(3).length)',
    })
    const reason = (port: number): string =>
      `svc does not let this job reach inside.example.com:${port}: It is not a public address. Name it in "network", and let an operator grant it.`
    expect(plain).toBe(`open: ${reason(80)} | true | 0`)
    expect(tls).toBe(`open: ${reason(443)} | true | 0`)
    expect(own).toBe('open: 3')
  })

  it('a server of this machine on loopback, and gets svc’s message', async () => {
    const pool = internet()
    const port = portOf(trap)
    const viaNode = (host: string) =>
      `new Promise((resolve, reject) => connect(${port}, '${host}', () => resolve('reached')).on('error', reject))`
    const viaDeno = (host: string) => `Deno.connect({ hostname: '${host}', port: ${port} })`
    const attempts = {
      deno: viaDeno('127.0.0.1'),
      'deno by name': viaDeno('localhost'),
      node: viaNode('127.0.0.1'),
      'node by name': viaNode('localhost'),
    }
    const results = await tryAll(pool, attempts, { prelude: `import { connect } from 'node:net'` })
    for (const [name, result] of Object.entries(results)) {
      expect([name, result]).toEqual([name, expect.stringContaining('svc does not let this job')])
    }
    arrived = 0
    // 3128 is the usual port of a proxy
    const own = main(`
      const server = createServer((socket) => socket.end('mine')).listen(3128)
      const { port } = server.address()
      const answer = await new Promise((resolve, reject) => connect(port, '127.0.0.1').on('data', (part) => resolve(String(part))).on('error', reject))
      server.close()
      return answer`)
    const code = `import { connect, createServer } from 'node:net'\n${own}`
    expect(await resultOf(pool, { code })).toBe('mine')
    expect(arrived).toBe(0)
  })

  it('an address of this machine, whatever it is', () => {
    for (const address of own) expect(isOpenAddress(address)).toBe(false)
  })

  it('by a name that answers otherwise the second time', async () => {
    let answers = 0
    const pool = internet({
      resolve: async () => {
        answers += 1
        return answers === 1 ? [WEB] : ['127.0.0.1']
      },
    })
    const reach = `return Deno.connect({ hostname: 'rebind.example.com', port: 9 }).then((c) => c.close())`
    await resultOf(pool, { code: main(reach) })
    expect((await errorOf(pool, main(`${reach} `))).name).toBe('PermissionDenied')
    expect(dialed).toEqual([`${WEB}:9`])
  })
})

describe('a job learns of a public host', () => {
  const attemptsAt = (host: string) => ({
    fetch: `fetch('http://${host}/')`,
    tls: `fetch('https://${host}/')`,
    http: `new Promise((_, reject) => get('http://${host}/').on('error', reject))`,
    net: `new Promise((resolve) => connect(5432, '${host}').on('error', (error) => resolve(error.code + ' ' + error.message)))`,
  })
  const prelude = `import { get } from 'node:http'; import { connect } from 'node:net'`

  it('that it does not answer, by the code that packages know', async () => {
    const pool = internet({ dial: async () => null })
    expect(await tryAll(pool, attemptsAt('web.example.com'), { prelude })).toEqual({
      fetch: expect.stringContaining('TypeError: web.example.com does not answer.'),
      tls: expect.stringContaining('TypeError: web.example.com:443 does not answer.'),
      http: expect.stringContaining('ConnectionRefused: web.example.com does not answer.'),
      net: expect.stringContaining('ECONNREFUSED web.example.com:5432 does not answer.'),
    })
  })

  it('that its name is not known', async () => {
    expect(await tryAll(internet(), attemptsAt('gone.example.com'), { prelude })).toMatchObject({
      fetch: expect.stringContaining('TypeError: The name of gone.example.com is not known.'),
      net: expect.stringContaining('ENOTFOUND The name of gone.example.com:5432 is not known.'),
    })
  })
})

describe('what a job sends and receives', () => {
  it('is bounded: it fails as NetworkLimit, and the next job is fine', async () => {
    const pool = internet({ bounds: { bytes: 20_000_000 } })
    const code = main(
      `for await (const part of (await fetch('http://web.example.com/endless')).body) void part`,
    )
    expect((await errorOf(pool, code)).name).toBe('NetworkLimit')
    expect(await resultOf(pool, { code: main('return 1') })).toBe(1)
  })

  it('comes by few connections at once', async () => {
    const pool = internet({ bounds: { connections: 8 } })
    const code = main(`
      const open = []
      for (let i = 0; i < 12; i++) try { open.push(await Deno.connect({ hostname: '${WEB}', port: 9 })) } catch {}
      return open.length`)
    const opened = await resultOf(pool, { code })
    expect(opened).toBeLessThanOrEqual(8)
    expect(opened).toBeGreaterThan(4)
  })

  it('ends with its process', async () => {
    const pool = internet()
    const held = runJob(pool, {
      code: main(
        `const c = await Deno.connect({ hostname: '${WEB}', port: 9 }); console.log('on'); await new Promise(() => {})`,
      ),
      limits: { timeoutMs: 1_000 },
    })
    expect((await held).outcome).toMatchObject({ error: { name: 'Timeout' } })
    const count = () =>
      new Promise<number>((resolve) => echo.getConnections((_error, open) => resolve(open)))
    await expect.poll(count, { timeout: 5_000 }).toBe(0)
  })
})
