/**
 * Private destinations at levels `runtime` and `os`, which are open if the
 * action lists them and the operator grants them [jobs 16].
 */
import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import { connect, createServer, type Server } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { EgressOptions } from '#sandbox/egress/proxy.ts'
import { createIsReserved } from '#sandbox/egress/reserved.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { portOf } from '../support/port-of.ts'
import { TLS_CERT, TLS_KEY } from '../support/tls-pair.ts'
import { bubblewrapProvider, denoProvider, openPool, tryAll } from './job.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'db.internal': ['10.1.0.7'],
  'meta.internal': ['169.254.169.254'],
  'mixed.internal': ['10.1.0.7', '10.9.0.7'],
  'svc.internal': ['10.1.0.8'],
  // the name in the tests' certificate
  'web.example.com': ['10.1.0.7'],
  'elsewhere.internal': ['10.1.0.9'],
}

let web: HttpServer
let echo: Server
let secure: TlsServer
let secureWeb: HttpsServer

beforeAll(async () => {
  web = createHttpServer((request, response) => {
    const { method, url, headers } = request
    if (url === '/moved') {
      response.writeHead(302, { location: 'http://elsewhere.internal/end' }).end()
      return
    }
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const said = [method === 'GET' ? '' : `${method} ${body}`, headers.authorization ?? '']
      response.setHeader('x-said', said.join('').trim())
      response.end(`web ${headers.host}`)
    })
  })
  secureWeb = createHttpsServer({ key: TLS_KEY, cert: TLS_CERT }, (request, response) =>
    response.end(`secure ${request.headers.host}`),
  )
  echo = createServer((socket) => void socket.end('hello'))
  secure = createTlsServer({ key: TLS_KEY, cert: TLS_CERT }, (socket) => void socket.end('secret'))
  for (const server of [web, echo, secure, secureWeb]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
})
afterAll(() => {
  for (const server of [web, echo, secure, secureWeb]) server.close()
})

/** The servers at the ports of the private network. */
const STANDS = new Map<number, () => Server>([
  [80, () => web],
  [443, () => secureWeb],
  [636, () => secure],
])
const dialed: string[] = []
const egress = (): EgressOptions => ({
  resolve: async (host) => NAMES[host] ?? [],
  isReserved: createIsReserved(
    { ports: [portOf(secure)], servers: [{ host: 'svc.internal', port: 5_432 }] },
    async (host) => NAMES[host] ?? [],
  ),
  dial: async ([address = ''], port) => {
    dialed.push(`${address}:${port}`)
    const isLocal = address === '127.0.0.1'
    const stand = STANDS.get(port)?.() ?? echo
    const socket = connect(isLocal ? port : portOf(stand), '127.0.0.1')
    await once(socket, 'connect')
    return socket
  },
})
afterEach(() => void dialed.splice(0))

const NET = `import dns from 'node:dns'
  import http from 'node:http'
  import https from 'node:https'
  import { connect } from 'node:net'
  import * as tls from 'node:tls'
  const CA = ${JSON.stringify(TLS_CERT)}
  const read = (port, host) => new Promise((resolve, reject) => {
    let text = ''
    connect(port, host).on('data', (part) => { text += part }).on('end', () => resolve(text)).on('error', reject)
  })
  const secured = (port, host, options) => new Promise((resolve, reject) => {
    let text = ''
    tls.connect({ port, host, ca: CA, ...options })
      .on('data', (part) => { text += part }).on('end', () => resolve(text)).on('error', reject)
  })
  const opened = (port, host) => new Promise((resolve, reject) => {
    const socket = connect(port, host, () => resolve(socket)).on('error', reject)
  })
  const ask = (module, url, options = {}) => new Promise((resolve, reject) => {
    module.get(url, options, (answer) => {
      let text = ''
      answer.on('data', (part) => { text += part }).on('end', () => resolve(text))
    }).on('error', reject)
  })
  const deno = async (port, hostname) => {
    const conn = await Deno.connect({ port, hostname })
    const bytes = new Uint8Array(9)
    const length = await conn.read(bytes)
    conn.close()
    return new TextDecoder().decode(bytes.subarray(0, length))
  }`

type Rules = Readonly<{ network: readonly string[] | null; granted?: readonly string[] }>

describe.each([
  ['os', bubblewrapProvider],
  ['runtime', denoProvider],
])('at level %s', (_level, provider) => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openPool(provider(egress()))
  })
  afterAll(() => pool.close())

  const tryWith = (rules: Rules, attempts: Readonly<Record<string, string>>) =>
    tryAll(pool, attempts, { prelude: NET, limits: rules })

  describe('a private destination that is named and granted', () => {
    it.each([
      ['by its name', ['db.internal'], ['db.internal']],
      ['by its name and port', ['db.internal:80', 'db.internal:5432'], ['10.1.0.0/16']],
      ['by its network', ['db.internal'], ['10.1.0.0/16:80', '10.1.0.7:5432']],
    ])('%s is reached by fetch, node:net and Deno.connect', async (_how, network, granted) => {
      const found = await tryWith(
        { network, granted },
        {
          fetch: `await (await fetch('http://db.internal/')).text()`,
          net: `await read(5432, 'db.internal')`,
          deno: `await deno(5432, 'db.internal')`,
        },
      )
      expect(found).toEqual({
        fetch: 'open: web db.internal',
        net: 'open: hello',
        deno: 'open: hello',
      })
    })

    it('is reached by node:tls and node:https, which check its certificate', async () => {
      const rules = { network: ['web.example.com', 'db.internal'], granted: ['10.1.0.0/16'] }
      const found = await tryWith(rules, {
        tls: `await secured(636, 'web.example.com')`,
        address: `await secured(636, '10.1.0.7', { servername: 'web.example.com' })`,
        over: `await secured(undefined, undefined, { socket: await opened(636, 'web.example.com'), servername: 'web.example.com' })`,
        https: `await ask(https, 'https://web.example.com/', { ca: CA })`,
        other: `await secured(636, 'db.internal')`,
        unknown: `await secured(636, 'web.example.com', { ca: undefined })`,
      })
      expect(found).toMatchObject({
        tls: 'open: secret',
        address: expect.stringContaining('does not name it'),
        over: 'open: secret',
        https: 'open: secure web.example.com',
        other: expect.stringMatching(/^refused: .*not match certificate/),
        unknown: expect.stringMatching(/^refused: .*self.signed/i),
      })
    })

    it('answers fetch and node:http as any other', async () => {
      const network = ['db.internal', 'elsewhere.internal', 'web.example.com']
      const rules = { network, granted: ['10.1.0.0/16'] }
      const found = await tryWith(rules, {
        get: `await ask(http, 'http://db.internal/')`,
        post: `(await fetch('http://db.internal/', { method: 'POST', body: 'some text' })).headers.get('x-said')`,
        request: `(await fetch(new Request('http://db.internal/', { method: 'PUT', body: 'more' }))).headers.get('x-said')`,
        moved: `await fetch('http://db.internal/moved', { headers: { authorization: 'secret' } })
          .then(async (answer) => [answer.url, answer.redirected, answer.headers.get('x-said'), await answer.text()])`,
        kept: `(await fetch('http://db.internal/moved', { redirect: 'manual' })).status`,
        head: `(await fetch('http://db.internal/', { method: 'HEAD' })).status`,
        aborted: `await fetch('http://db.internal/', { signal: AbortSignal.abort(new Error('enough')) })`,
        secure: `await fetch('https://web.example.com/')`,
      })
      expect(found).toMatchObject({
        get: 'open: web db.internal',
        post: 'open: POST some text',
        request: 'open: PUT more',
        moved: 'open: http://elsewhere.internal/end,true,,web elsewhere.internal',
        kept: 'open: 302',
        head: 'open: 200',
        aborted: 'refused: Error: enough',
        secure: expect.stringContaining('refused: TypeError'),
      })
    })

    it('on the machine itself is reached too, and its other ports are not', async () => {
      const port = portOf(echo)
      const found = await tryWith(
        { network: [`127.0.0.1:${port}`, 'localhost'], granted: [`127.0.0.1:${port}`] },
        {
          address: `await read(${port}, '127.0.0.1')`,
          name: `await read(${port}, 'localhost')`,
          deno: `await deno(${port}, '127.0.0.1')`,
          other: `await read(${portOf(web)}, 'localhost')`,
        },
      )
      expect(found).toMatchObject({
        address: 'open: hello',
        name: 'open: hello',
        deno: 'open: hello',
        other: expect.stringContaining('refused: NetworkNotGranted'),
      })
      expect(new Set(dialed)).toEqual(new Set([`127.0.0.1:${port}`]))
    })
  })

  it('a port of the machine itself is reached by a name that the client looks up first', async () => {
    const port = portOf(echo)
    const found = await tryWith(
      { network: [`localhost:${port}`], granted: [`127.0.0.1:${port}`] },
      { looked: `await read(${port}, (await dns.promises.lookup('localhost')).address)` },
    )
    expect(found).toEqual({ looked: 'open: hello' })
  })

  it('the machine itself is reached by node:http too, if the list has it without a port', async () => {
    const port = portOf(web)
    const found = await tryWith(
      { network: ['127.0.0.1', 'localhost'], granted: [`127.0.0.1:${port}`] },
      {
        address: `await ask(http, 'http://127.0.0.1:${port}/')`,
        name: `await ask(http, 'http://localhost:${port}/')`,
      },
    )
    expect(found).toEqual({
      address: `open: web 127.0.0.1:${port}`,
      name: `open: web localhost:${port}`,
    })
  })

  describe('a private destination is closed', () => {
    it('without a grant, by an error that names the host and the remedy', async () => {
      const found = await tryWith(
        { network: ['db.internal'], granted: ['db.internal:5433', '10.2.0.0/16'] },
        {
          fetch: `await (await fetch('http://db.internal/')).text()`,
          net: `await read(5432, 'db.internal')`,
          deno: `await deno(5432, 'db.internal')`,
        },
      )
      for (const [how, said] of Object.entries(found)) {
        expect(said, how).toMatch(/^refused: NetworkNotGranted: /)
        expect(said, how).toContain('db.internal:')
        expect(said, how).toContain('egress_allow')
      }
      expect(dialed).toEqual([])
    })

    it('where the action does not name it, and where it has no list', async () => {
      const granted = ['db.internal', '10.0.0.0/8']
      const attempts = { net: `await read(5432, 'db.internal')` }
      const unnamed = await tryWith({ network: ['api.example.com'], granted }, attempts)
      const unlisted = await tryWith({ network: null, granted }, attempts)
      expect(unnamed.net).toContain('does not name it')
      expect(unlisted.net).toMatch(/^refused: /)
      expect(dialed).toEqual([])
    })

    it('when one address of its name is not granted', async () => {
      const rules = { network: ['mixed.internal'], granted: ['10.1.0.0/16'] }
      const { net } = await tryWith(rules, { net: `await read(5432, 'mixed.internal')` })
      expect(net).toContain('NetworkNotGranted')
      expect(dialed).toEqual([])
    })

    it('whatever is granted, where it is a metadata service, or svc itself', async () => {
      const own = portOf(secure)
      const network = [
        'meta.internal',
        '169.254.169.254',
        `127.0.0.1:${own}`,
        `127.0.0.2:${own}`,
        'svc.internal',
      ]
      const granted = ['0.0.0.0/0', 'meta.internal', 'svc.internal']
      const found = await tryWith(
        { network, granted },
        {
          name: `await (await fetch('http://meta.internal/')).text()`,
          address: `await (await fetch('http://169.254.169.254/')).text()`,
          listener: `await read(${own}, '127.0.0.1')`,
          alias: `await read(${own}, '127.0.0.2')`,
          database: `await read(5432, 'svc.internal')`,
        },
      )
      expect(found.name).toContain('not a public address')
      expect(found.address).toContain('not a public address')
      expect(found.listener).toContain('svc itself listens there')
      expect(found.alias).toContain('svc itself listens there')
      expect(found.database).toContain('svc itself listens there')
      expect(dialed).toEqual([])
    })

    it('in the next job, once the grant is revoked', async () => {
      const network = ['db.internal']
      const attempts = { net: `await read(5432, 'db.internal')` }
      expect((await tryWith({ network, granted: ['db.internal'] }, attempts)).net).toContain('open')
      expect((await tryWith({ network, granted: [] }, attempts)).net).toContain('NetworkNotGranted')
    })
  })
})

it('at level runtime a grant opens svc’s proxy alone: other ways to the address stay closed', async () => {
  const pool = openPool(denoProvider(egress()))
  try {
    const port = portOf(echo)
    const here = `127.0.0.1:${port}`
    const socket = (address: string) =>
      `await new Promise((resolve, reject) => {
        const socket = new WebSocket('${address}')
        socket.onopen = () => resolve('reached')
        socket.onerror = ({ message }) => reject(new Error(message))
      })`
    const limits = { network: [here, 'db.internal'], granted: [here, '10.0.0.0/8'] }
    const state = (name: string) =>
      `(await Deno.permissions.query({ name: 'net', host: '${name}' })).state`
    const found = await tryAll(
      pool,
      {
        proxied: `await read(${port}, '127.0.0.1')`,
        websocket: socket(`ws://${here}`),
        tls: `await Deno.connectTls({ hostname: '127.0.0.1', port: ${port} })`,
        listener: `Deno.listen({ hostname: '127.0.0.1', port: 0 })`,
        granted: state(here),
        neighbour: state('127.0.0.1'),
        private: state('10.1.0.7:5432'),
      },
      { prelude: NET, limits },
    )
    expect(found).toEqual({
      proxied: 'open: hello',
      websocket: expect.stringContaining('refused: '),
      tls: expect.stringContaining('refused: NotCapable'),
      listener: expect.stringContaining('refused: NotCapable'),
      granted: 'open: denied',
      neighbour: 'open: denied',
      private: 'open: denied',
    })
    expect(dialed).toEqual([here])
  } finally {
    await pool.close()
  }
})

it('a destination that may be svc’s database stays closed while its name cannot be resolved', async () => {
  const servers = [{ host: 'svc.internal', port: 5_432 }]
  const isReserved = createIsReserved({ ports: [], servers }, () => Promise.reject(new Error('no')))
  expect(await isReserved(['10.1.0.7'], 5_432)).toBe(true)
  expect(await isReserved(['10.1.0.7'], 5_433)).toBe(false)
})
