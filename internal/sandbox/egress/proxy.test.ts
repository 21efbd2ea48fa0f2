import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { portOf } from '../../../test/support/port-of.ts'
import { dialAny } from './dial.ts'
import type { GuestEgress } from './guest-egress.ts'
import { createEgressProxy } from './proxy.ts'

const PUBLIC = '93.184.215.14'
const REQUEST = `GET http://${PUBLIC}/ HTTP/1.1\r\nhost: ${PUBLIC}\r\n\r\n`
const UPGRADE = `GET http://${PUBLIC}/x HTTP/1.1\r\nhost: ${PUBLIC}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`

const folder = mkdtempSync(join(tmpdir(), 'svc-proxy-'))
const servers: Server[] = []
let opened: GuestEgress | null = null
afterEach(() => {
  opened?.close()
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Guests = Readonly<{ open: () => Promise<Socket> }>

/** Opens a proxy whose every destination is this server. */
const guestsOf = async (
  serve: (socket: Socket) => void,
  isOpen: () => boolean = () => true,
): Promise<Guests> => {
  const server = createServer((socket) => serve(socket.on('error', () => undefined))).listen(0)
  servers.push(server)
  await once(server, 'listening')
  const port = portOf(server)
  const proxy = createEgressProxy({
    isOpen,
    dial: async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    },
  })
  const path = join(mkdtempSync(join(folder, 'guest-')), 'egress.sock')
  opened = proxy.open(path, { network: null })
  return {
    open: async () => {
      const guest = connect(path).on('error', () => undefined)
      await once(guest, 'connect')
      return guest
    },
  }
}

/** @returns a connection of the only guest */
const guestOf = async (serve: (socket: Socket) => void): Promise<Socket> =>
  (await guestsOf(serve)).open()

test.each(['000', '099'])('a response with the status %s arrives as 502', async (status) => {
  const answer = `HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`
  const guest = await guestOf((socket) => socket.once('data', () => socket.end(answer)))
  guest.write(REQUEST)
  expect(String((await once(guest, 'data'))[0])).toMatch(/^HTTP\/1\.1 502 /)
})

test('a guest whose server answers 101 to a plain request is disconnected', async () => {
  const answer = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'
  const guest = await guestOf((socket) => socket.once('data', () => socket.write(answer)))
  guest.on('error', () => undefined).resume()
  guest.write(REQUEST)
  await once(guest, 'close', { signal: AbortSignal.timeout(5_000) })
})

test('a connection carries one request, as its response states', async () => {
  const asked: string[] = []
  const answer = 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\ncontent-length: 2\r\n\r\nhi'
  const guest = await guestOf((socket) =>
    socket.once('data', (bytes) => {
      asked.push(String(bytes))
      socket.end(answer)
    }),
  )
  guest.write(REQUEST.replace('\r\n\r\n', '\r\nConnection: keep-alive\r\n\r\n'))
  expect(await text(guest)).toBe(
    'HTTP/1.1 200 OK\r\nConnection: close\r\ncontent-length: 2\r\n\r\nhi',
  )
  expect(asked).toEqual([`GET / HTTP/1.1\r\nHost: ${PUBLIC}\r\nConnection: close\r\n\r\n`])
})

test('many requests at once open one connection to one server', async () => {
  const open = new Set<Socket>()
  const guest = await guestOf((socket) => {
    open.add(socket.on('close', () => open.delete(socket)).resume())
  })
  guest.write(REQUEST.repeat(100))
  await expect.poll(() => open.size).toBe(1)
  guest.destroy()
  await expect.poll(() => open.size).toBe(0)
})

test.each([
  ['no head', 'GET / nonsense\r\n\r\n'],
  ['a field without a name', `${REQUEST.slice(0, -2)}: x\r\n\r\n`],
  ['no absolute address', 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'],
])('a request with %s is refused', async (_what, request) => {
  const guest = await guestOf(() => undefined)
  guest.write(request)
  expect(await text(guest)).toMatch(/^HTTP\/1\.1 400 /)
})

test('no field of a server passes for a refusal of svc', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nX-Svc-Egress: no\r\nx-a: b\r\n x-svc-egress: no\r\n\r\nhi'
  const guest = await guestOf((socket) => socket.once('data', () => socket.end(answer)))
  guest.write(REQUEST)
  expect(await text(guest)).not.toMatch(/\r\n\s*x-svc-egress/i)
})

test('interim responses pass, but not without end', async () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'
  const guests = await guestsOf((socket) =>
    socket.once('data', (request) =>
      socket.end(
        String(request).startsWith('GET /endless')
          ? interim.repeat(50_000)
          : `${interim}HTTP/1.1 200 OK\r\n\r\nhi`,
      ),
    ),
  )
  const guest = await guests.open()
  guest.write(REQUEST)
  expect(await text(guest)).toMatch(
    /^HTTP\/1\.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP\/1\.1 200 /,
  )
  const other = await guests.open()
  other.write(REQUEST.replace(`${PUBLIC}/`, `${PUBLIC}/endless`))
  other.resume()
  await once(other, 'close', { signal: AbortSignal.timeout(5_000) })
  expect(other.bytesRead).toBeLessThan(1_000)
})

const CONNECT = `CONNECT ${PUBLIC}:80 HTTP/1.1\r\nhost: ${PUBLIC}\r\n\r\n`

test.each([REQUEST, CONNECT])(
  'a guest that reads late gets all that its server has sent before it ended: %s',
  async (request) => {
    const bytes = 1_000_000
    const guests = await guestsOf((socket) => {
      const answer = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), Buffer.alloc(bytes)])
      if (request === CONNECT) socket.end(answer)
      else socket.once('data', () => socket.end(answer))
    })
    const guest = await guests.open()
    guest.pause().write(request)
    let size = 0
    for await (const part of guest) {
      size += part.length
      await pause(2)
    }
    expect(size).toBeGreaterThan(bytes)
  },
)

const TINY_CHUNKS = Buffer.from('1\r\nx\r\n'.repeat(200_000))
const UPLOAD = `POST http://${PUBLIC}/ HTTP/1.1\r\nhost: ${PUBLIC}\r\ntransfer-encoding: chunked\r\n\r\n`
const AT_ONCE = 10

test('responses in chunks of one byte do not hold up the host', async () => {
  const guests = await guestsOf((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.end(TINY_CHUNKS)
    }),
  )
  const longestMs = await leastLongestTurnMs(async () => {
    const all = Array.from({ length: AT_ONCE }, async () => {
      const guest = await guests.open()
      guest.write(REQUEST)
      await once(guest.resume(), 'close')
      return guest.bytesRead
    })
    for (const size of await Promise.all(all)) expect(size).toBeGreaterThan(TINY_CHUNKS.length)
  })
  expect(longestMs).toBeLessThan(50)
})

test.each([true, false])(
  'requests in chunks of one byte do not hold up the host, if they are allowed: %s',
  async (isAllowed) => {
    let received = 0
    const guests = await guestsOf(
      (socket) =>
        socket.on('data', (bytes) => {
          received += bytes.length
        }),
      () => isAllowed,
    )
    let sent = 0
    const longestMs = await leastLongestTurnMs(async () => {
      const all = Array.from({ length: AT_ONCE }, async () => {
        const guest = await guests.open()
        guest.resume().write(UPLOAD)
        await new Promise<void>((resolve) => guest.write(TINY_CHUNKS, () => resolve()))
        sent += TINY_CHUNKS.length
        guest.destroy()
      })
      await Promise.all(all)
    })
    expect(longestMs).toBeLessThan(50)
    if (isAllowed) await expect.poll(() => received).toBeGreaterThanOrEqual(sent)
  },
)

test('a request for a WebSocket becomes a connection to its server', async () => {
  let asked = ''
  const agreed =
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
  const guest = await guestOf((socket) =>
    socket.once('data', (head) => {
      asked = String(head)
      socket.write(`${agreed}first`)
      socket.on('data', (bytes) => socket.write(bytes))
    }),
  )
  let said = ''
  guest.on('data', (bytes) => {
    said += String(bytes)
  })
  guest.write(UPGRADE)
  await expect.poll(() => said).toBe(`${agreed}first`)
  guest.write('more')
  await expect.poll(() => said).toBe(`${agreed}firstmore`)
  expect(asked).toMatch(/^GET \/x HTTP\/1\.1\r\n/)
  expect(asked).toMatch(/\r\nupgrade: websocket\r\n/i)
})

test('a server that refuses a WebSocket ends the connection of the guest', async () => {
  const answer = 'HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno'
  const guest = await guestOf((socket) => socket.once('data', () => socket.write(answer)))
  guest.write(UPGRADE)
  expect(String((await once(guest, 'data'))[0])).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
  await once(guest, 'close', { signal: AbortSignal.timeout(5_000) })
})

test.each([
  ['request', REQUEST],
  ['tunnel', `CONNECT ${PUBLIC}:443 HTTP/1.1\r\n\r\n`],
])(
  'a %s that its guest has left counts no longer, although its server keeps its side open',
  async (_what, request) => {
    let accepted = 0
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      accepted += 1
      socket.on('error', () => undefined).resume()
    }).listen(0)
    servers.push(server)
    await once(server, 'listening')
    const proxy = createEgressProxy({
      isOpen: () => true,
      dial: () => dialAny(['127.0.0.1'], portOf(server)),
      bounds: { connections: 1 },
      halfOpenMs: 100,
    })
    const path = join(mkdtempSync(join(folder, 'guest-')), 'egress.sock')
    opened = proxy.open(path, { network: null })
    const ask = (): Socket => {
      const guest = connect(path).on('error', () => undefined)
      guest.write(request)
      return guest
    }
    const first = ask()
    await expect.poll(() => accepted).toBe(1)
    first.destroy()
    // a further connection is refused until then
    const others: Socket[] = []
    await expect
      .poll(() => {
        others.push(ask())
        return accepted
      })
      .toBe(2)
    for (const other of others) other.destroy()
  },
)
