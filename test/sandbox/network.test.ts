/**
 * Real jobs attempt every way that Deno offers to reach an address. The control runs the same attempts without confinement
 * against the same listeners, to show that they would succeed.
 */
import { createSocket, type Socket } from 'node:dgram'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { portOf } from '../support/port-of.ts'
import {
  type Attempts,
  denoProvider,
  errorOf,
  main,
  openOnes,
  openPool,
  resultOf,
  tryAll,
  unconfinedProvider,
} from './job.ts'

let server: Server
let unixServer: Server
let udp: Socket
let port: number
let udpPort: number
const unixFolder = mkdtempSync(join(tmpdir(), 'svc-unix-'))
const unixPath = join(unixFolder, 'other.sock')
/** Number of arrivals, by any protocol. */
let arrived = 0

const listening = (what: Server | Socket): Promise<void> =>
  new Promise((resolve) => what.once('listening', () => resolve()))

const countingServer = (): Server => {
  const made = createServer((_request, response) => response.end('reached'))
  made.on('connection', () => {
    arrived += 1
  })
  return made
}

const QUIET_MS = 100

/** Waits until nothing more arrives, because a datagram may still be in a queue. */
const untilQuiet = async (): Promise<void> => {
  for (let before = -1; before !== arrived; ) {
    before = arrived
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
  }
}

const pools: Sandbox[] = []
const openedPool = (provider: Parameters<typeof openPool>[0]): Sandbox => {
  const pool = openPool(provider)
  pools.push(pool)
  return pool
}

/** Outside of the ports that the system assigns, because clients may still look for a node of another test that has ended. */
const QUIET_PORT = 20_000 + (process.pid % 10_000)

beforeAll(async () => {
  server = countingServer().listen(QUIET_PORT, '::')
  unixServer = countingServer().listen(unixPath)
  udp = createSocket('udp4').on('message', () => {
    arrived += 1
  })
  udp.bind(QUIET_PORT, '0.0.0.0')
  await Promise.all([server, unixServer, udp].map(listening))
  // jobs run as another user; without this, file modes would stop them before the confinement does
  chmodSync(unixFolder, 0o755)
  chmodSync(unixPath, 0o666)
  port = portOf(server)
  udpPort = udp.address().port
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  server.close()
  unixServer.close()
  udp.close()
  rmSync(unixFolder, { recursive: true, force: true })
})

const ownAddresses = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))

/** Spellings of this machine's address. */
const HERE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '0',
  'localhost',
  'LOCALHOST.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0.0.0.0]',
  '[::ffff:127.0.0.2]',
  ...ownAddresses,
]

/** Addresses that a job must not reach, in any network. */
const PRIVATE = [
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[ff02::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::1]',
  '[2001:db8::1]',
  'metadata.google.internal',
  'db',
  'router.local',
  'host.docker.internal',
]

const bare = (host: string): string => host.replace(/^\[|\]$/g, '')

const fetches = (hosts: readonly string[]): Attempts =>
  Object.fromEntries(
    hosts.map((host) => [
      `fetch ${host}`,
      `fetch("http://${host}:${port}/").then((response) => response.text())`,
    ]),
  )

const connects = (hosts: readonly string[]): Attempts =>
  Object.fromEntries(
    hosts.map((host) => [
      `connect ${host}`,
      `Deno.connect({ hostname: "${bare(host)}", port: ${port} }).then((conn) => { conn.close(); return "reached" })`,
    ]),
  )

/** Every client and server of the runtime, aimed at this machine. */
const protocols = (): Attempts => ({
  websocket: `new Promise((resolve, reject) => { const ws = new WebSocket("ws://127.0.0.1:${port}"); ws.onopen = () => resolve("reached"); ws.onerror = (event) => reject(new Error(event.message)) })`,
  'event source': `new Promise((resolve, reject) => { const source = new EventSource("http://127.0.0.1:${port}"); source.onerror = () => reject(new Error("error")); source.onopen = () => resolve("reached") })`,
  'tls connect': `Deno.connectTls({ hostname: "127.0.0.1", port: ${port} }).then(() => "reached")`,
  'node:net': `import("node:net").then(({ connect }) => new Promise((resolve, reject) => { const socket = connect(${port}, "127.0.0.1", () => resolve("reached")); socket.on("error", reject) }))`,
  'node:net unix': `import("node:net").then(({ connect }) => new Promise((resolve, reject) => { const socket = connect("${unixPath}", () => resolve("reached")); socket.on("error", reject) }))`,
  'node:http': `import("node:http").then(({ get }) => new Promise((resolve, reject) => get("http://127.0.0.1:${port}", () => resolve("reached")).on("error", reject)))`,
  'node:https': `import("node:https").then(({ get }) => new Promise((resolve, reject) => get("https://127.0.0.1:${port}", () => resolve("reached")).on("error", reject)))`,
  'node:http2': `import("node:http2").then(({ connect }) => new Promise((resolve, reject) => { const session = connect("http://127.0.0.1:${port}"); session.on("connect", () => resolve("reached")); session.on("error", reject) }))`,
  'node:tls': `import("node:tls").then(({ connect }) => new Promise((resolve, reject) => { const socket = connect(${port}, "127.0.0.1", () => resolve("reached")); socket.on("error", reject) }))`,
  'Deno.resolveDns server': `Deno.resolveDns("example.com", "A", { nameServer: { ipAddr: "127.0.0.1", port: ${udpPort} } })`,
  'unix connect': `Deno.connect({ transport: "unix", path: "${unixPath}" }).then(() => "reached")`,
  'fetch over unix': `(async () => { const client = Deno.createHttpClient({ proxy: { transport: "unix", path: "${unixPath}" } }); return (await fetch("http://x.com/", { client })).text() })()`,
  'fetch over a proxy': `(async () => { const client = Deno.createHttpClient({ proxy: { url: "http://127.0.0.1:${port}" } }); return (await fetch("http://example.com/", { client })).text() })()`,
  listen: `Deno.listen({ port: 0 }).addr.port`,
  'listen on loopback': `Deno.listen({ hostname: "127.0.0.1", port: 0 }).addr.port`,
  'listen by IPv6': `Deno.listen({ hostname: "::1", port: 0 }).addr.port`,
  serve: `Deno.serve({ port: 0, onListen() {} }, () => new Response("x")).addr.port`,
  'node:http server': `import("node:http").then(({ createServer }) => new Promise((resolve, reject) => { const server = createServer(() => {}); server.on("error", reject); server.listen(0, () => resolve("listens")) }))`,
  'unix listen': `Deno.listen({ transport: "unix", path: Deno.cwd() + "/own.sock" }).addr.path`,
  import: `import("http://127.0.0.1:${port}/x.js")`,
  'import of text': `import("http://127.0.0.1:${port}/x.txt", { with: { type: "text" } })`,
  worker: `new Promise((resolve, reject) => { const code = "fetch('http://127.0.0.1:${port}/').then((r) => r.text()).then(postMessage, (error) => postMessage('refused ' + error.message))"; const worker = new Worker("data:text/javascript," + encodeURIComponent(code), { type: "module" }); worker.onmessage = ({ data }) => data.startsWith("refused") ? reject(new Error(data)) : resolve(data) })`,
  'worker from there': `new Promise((resolve, reject) => { const worker = new Worker("http://127.0.0.1:${port}/x.js", { type: "module" }); worker.onerror = (event) => { event.preventDefault(); reject(new Error(event.message)) } })`,
  'asking for more rights': `Deno.permissions.request({ name: "net", host: "127.0.0.1" }).then(({ state }) => { if (state !== "granted") throw new Error(state); return state })`,
})

/** Attempts whose errors are thrown outside of any promise, so each is a separate job. */
const thrownBeside = (): Attempts => ({
  'a resolver of its own': `import("node:http").then(({ get }) => new Promise((resolve, reject) => get({ host: "example.com", port: ${port}, lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) }, () => resolve("reached")).on("error", reject)))`,
  'node:dgram': `import("node:dgram").then(({ createSocket }) => new Promise((resolve, reject) => { const socket = createSocket("udp4"); socket.on("error", reject); socket.send("x", ${udpPort}, "127.0.0.1", (error) => error ? reject(error) : resolve("reached")) }))`,
})

/** Attempts that succeed against plain listeners such as these. The others need TLS or a peer that speaks their protocol. */
const ABLE: ReadonlySet<string> = new Set([
  'node:net',
  'node:net unix',
  'node:http',
  'unix connect',
  'fetch over unix',
  'fetch over a proxy',
  'listen',
  'listen on loopback',
  'serve',
  'node:http server',
  'unix listen',
  'worker',
])

/** Available only with `--unstable-net` or over QUIC, so there is nothing to call. */
const UNSTABLE: Attempts = {
  datagram: `Deno.listenDatagram({ port: 0, transport: "udp" }).addr.port`,
  quic: `Deno.connectQuic({ hostname: "127.0.0.1", port: 443, alpnProtocols: ["h3"] }).then(() => "reached")`,
  'quic endpoint': `new Deno.QuicEndpoint({ hostname: "127.0.0.1", port: 0 }).addr.port`,
  webtransport: `new WebTransport("https://127.0.0.1:1/").ready`,
}

/** Attempts that confinement did not refuse. A missing route does not count as a refusal. */
const notRefused = (results: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(results)
    .filter(([, result]) => !/NotCapable|Requires \w+ access|Can't escalate|denied/.test(result))
    .map(([name, result]) => `${name}: ${result}`)

describe('a job under deno that may reach any public address', () => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openedPool(denoProvider())
  })

  it('does not reach this machine, however it is spelled', async () => {
    arrived = 0
    const connected = await tryAll(pool, connects(HERE))
    expect(notRefused(connected)).toEqual([])
    expect(openOnes(await tryAll(pool, fetches(HERE)))).toEqual([])
    expect(arrived).toBe(0)
  })

  it('does not reach private, link-local, shared and metadata addresses, nor private names', async () => {
    expect(notRefused(await tryAll(pool, connects(PRIVATE)))).toEqual([])
    // fetch does not report why it failed
    expect(openOnes(await tryAll(pool, fetches(PRIVATE)))).toEqual([])
  })

  it('does not reach this machine by any client, and opens no server', async () => {
    arrived = 0
    const results = await tryAll(pool, { ...protocols(), ...UNSTABLE })
    expect(openOnes(results)).toEqual([])
    expect(arrived).toBe(0)
  })

  it('does not reach this machine by calls that report errors late', async () => {
    arrived = 0
    for (const attempt of Object.values(thrownBeside())) {
      expect((await errorOf(pool, main(`return await ${attempt}`))).name).toBe('NotCapable')
    }
    expect(arrived).toBe(0)
  })

  it('ends when it calls what only flags of the runtime would allow', async () => {
    const vsock = main('await Deno.connect({ transport: "vsock", cid: 1, port: 1 })')
    expect((await errorOf(pool, vsock)).name).toBe('SandboxCrashed')
  })

  it('gives a worker thread no more rights than it has', async () => {
    const start = (permissions: string) =>
      main(
        `await new Promise((resolve) => { new Worker("data:text/javascript,postMessage(1)", { type: "module", deno: { permissions: ${permissions} } }).onmessage = resolve })`,
      )
    for (const permissions of ['{ net: true }', '{ read: true }', '"inherit"']) {
      expect((await errorOf(pool, start(permissions))).name).toBe('SandboxCrashed')
    }
  })

  it('may ask for public addresses and names', async () => {
    const state = (host: string) =>
      `Deno.permissions.query({ name: "net", host: "${host}" }).then(({ state }) => state)`
    const hosts = ['1.1.1.1:443', 'example.com:443', 'xn--80ak6aa92e.com:443', 'a.b.co.uk:25']
    const results = await tryAll(pool, Object.fromEntries(hosts.map((host) => [host, state(host)])))
    expect(new Set(Object.values(results))).toEqual(new Set(['open: granted']))
  })
})

describe('the control: the same without confinement', () => {
  it('reaches this machine, so that the attempts above are known to be able to', async () => {
    const pool = openedPool(unconfinedProvider())
    arrived = 0
    const here = await tryAll(pool, { ...fetches(HERE), ...connects(HERE) })
    const reached = Object.values(here).filter((result) => result === 'open: reached').length
    expect(reached).toBeGreaterThan(HERE.length)
    expect(arrived).toBeGreaterThan(HERE.length)
    const able = Object.entries(protocols()).filter(([name]) => ABLE.has(name))
    const results = await tryAll(pool, Object.fromEntries(able))
    const blind = Object.entries(results).filter(([, result]) => !result.startsWith('open: '))
    expect(blind).toEqual([])
    expect(able).toHaveLength(ABLE.size)
    for (const attempt of Object.values(thrownBeside())) {
      expect(await resultOf(pool, { code: main(`return await ${attempt}`) })).toBe('reached')
    }
    // arrivals of these attempts must not count against later ones
    await pool.close()
    await untilQuiet()
  })
})

describe('an action that names its hosts', () => {
  it('reaches those alone, and never this machine even when it names it', async () => {
    const pool = openedPool(denoProvider())
    arrived = 0
    const network = ['api.example.com:443', '*.example.org', '127.1', '2130706433', 'vm']
    const state = (host: string) =>
      `Deno.permissions.query({ name: "net", host: "${host}" }).then(({ state }) => state)`
    const asked = [
      'api.example.com:443',
      'x.example.org:80',
      'api.example.com:80',
      'example.com:443',
      '1.1.1.1:443',
    ]
    const results = await tryAll(
      pool,
      { ...Object.fromEntries(asked.map((host) => [host, state(host)])), ...connects(HERE) },
      { limits: { network } },
    )
    const states = asked.map((host) => results[host])
    expect(states.slice(0, 2)).toEqual(['open: granted', 'open: granted'])
    expect(states.slice(2)).not.toContain('open: granted')
    const rest = Object.entries(results).filter(([name]) => name.startsWith('connect '))
    expect(openOnes(Object.fromEntries(rest))).toEqual([])
    expect(arrived).toBe(0)
  })

  it('reaches nothing when it names none', async () => {
    const pool = openedPool(denoProvider())
    const results = await tryAll(pool, connects(['1.1.1.1', 'example.com', '127.0.0.1']), {
      limits: { network: [] },
    })
    expect(notRefused(results)).toEqual([])
  })

  it('gets NetworkNotGranted for a private address that it names, however it connects', async () => {
    const pool = openedPool(denoProvider())
    arrived = 0
    const hosts = ['127.0.0.1', '169.254.169.254', '10.0.0.1', 'localhost']
    const results = await tryAll(
      pool,
      { ...connects(hosts), ...fetches(hosts) },
      { limits: { network: hosts } },
    )
    for (const [how, said] of Object.entries(results)) {
      expect(said, how).toMatch(
        how.includes('169.254') ? /refused: .*not a public address/ : /refused: NetworkNotGranted/,
      )
    }
    expect(arrived).toBe(0)
  })

  it.each(['[::1]', 'unix:/var/run/x.sock', 'a,b', 'http://x.com', '*', ''])(
    'fails clearly when an entry is not a host: %j',
    async (host) => {
      const pool = openedPool(denoProvider())
      await expect(tryAll(pool, {}, { limits: { network: [host] } })).rejects.toThrow(
        /write host names/,
      )
    },
  )
})
