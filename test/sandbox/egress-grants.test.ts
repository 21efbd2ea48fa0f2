/** Private destinations at level `os`: open where the action names them and the operator grants them [jobs 16]. */
import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createIsReserved } from '#sandbox/egress/reserved.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { TLS_CERT, TLS_KEY } from '../support/tls-pair.ts'
import { bubblewrapProvider, denoProvider, main, openPool, runJob, tryAll } from './job.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'db.internal': ['10.1.0.7'],
  'meta.internal': ['169.254.169.254'],
  'mixed.internal': ['10.1.0.7', '10.9.0.7'],
  'svc.internal': ['10.1.0.8'],
}

let web: HttpServer
let echo: Server
let secure: TlsServer
const portOf = (server: Server): number => (server.address() as AddressInfo).port

beforeAll(async () => {
  web = createHttpServer((request, response) => response.end(`web ${request.headers.host}`))
  echo = createServer((socket) => void socket.end('hello'))
  secure = createTlsServer({ key: TLS_KEY, cert: TLS_CERT }, (socket) => void socket.end('secret'))
  for (const server of [web, echo, secure]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
})
afterAll(() => {
  for (const server of [web, echo, secure]) server.close()
})

const dialed: string[] = []
let pool: Sandbox
beforeAll(() => {
  pool = openPool(
    bubblewrapProvider({
      resolve: async (host) => NAMES[host] ?? [],
      isReserved: createIsReserved(
        { ports: [portOf(secure)], servers: [{ host: 'svc.internal', port: 5_432 }] },
        async (host) => NAMES[host] ?? [],
      ),
      dial: async ([address = ''], port) => {
        dialed.push(`${address}:${port}`)
        const isLocal = address === '127.0.0.1'
        const socket = connect(isLocal ? port : portOf(port === 80 ? web : echo), '127.0.0.1')
        await once(socket, 'connect')
        return socket
      },
    }),
  )
})
afterAll(() => pool.close())
afterEach(() => void dialed.splice(0))

const NET = `import { connect } from 'node:net'
  const read = (port, host) => new Promise((resolve, reject) => {
    let text = ''
    connect(port, host).on('data', (part) => { text += part }).on('end', () => resolve(text)).on('error', reject)
  })
  const deno = async (port, hostname) => {
    const conn = await Deno.connect({ port, hostname })
    const bytes = new Uint8Array(9)
    const length = await conn.read(bytes)
    conn.close()
    return new TextDecoder().decode(bytes.subarray(0, length))
  }`

type Rules = Readonly<{ network: readonly string[] | null; granted?: readonly string[] }>

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

it('a destination that may be svc’s database stays closed while its name cannot be resolved', async () => {
  const servers = [{ host: 'svc.internal', port: 5_432 }]
  const isReserved = createIsReserved({ ports: [], servers }, () => Promise.reject(new Error('no')))
  expect(await isReserved(['10.1.0.7'], 5_432)).toBe(true)
  expect(await isReserved(['10.1.0.7'], 5_433)).toBe(false)
})

it('at level runtime an action that names a private address fails, and its code does not run', async () => {
  const runtime = openPool(denoProvider())
  try {
    const limits = { network: ['10.1.0.7:5432'], granted: ['10.1.0.7:5432'] }
    const { outcome, log } = await runJob(runtime, { code: main(`console.log('ran')`), limits })
    expect(outcome).toMatchObject({
      kind: 'failure',
      error: { name: 'NetworkNotGranted', message: expect.stringContaining('minLevel os') },
    })
    expect(log).toBe('')
  } finally {
    await runtime.close()
  }
})
