import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { portOf } from '../../../test/support/port-of.ts'
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

/** Opens a proxy whose every destination is this server. @returns a connection of the guest */
const guestOf = async (serve: (socket: Socket) => void): Promise<Socket> => {
  const server = createServer((socket) => serve(socket.on('error', () => undefined))).listen(0)
  servers.push(server)
  await once(server, 'listening')
  const port = portOf(server)
  const proxy = createEgressProxy({
    isOpen: () => true,
    dial: async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    },
  })
  const path = join(mkdtempSync(join(folder, 'guest-')), 'egress.sock')
  opened = proxy.open(path, { network: null })
  const guest = connect(path)
  await once(guest, 'connect')
  return guest
}

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

test('a guest that sends requests before their responses is disconnected', async () => {
  const open = new Set<Socket>()
  const guest = await guestOf((socket) => {
    open.add(socket.on('close', () => open.delete(socket)).resume())
  })
  guest.on('error', () => undefined).resume()
  guest.write(REQUEST.repeat(100))
  await once(guest, 'close')
  await expect.poll(() => open.size).toBe(0)
})

test('a connection carries one request after another', async () => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'
  const guest = await guestOf((socket) => socket.once('data', () => socket.end(answer)))
  for (let request = 0; request < 3; request += 1) {
    guest.write(REQUEST)
    expect(String((await once(guest, 'data'))[0])).toContain('200 OK')
  }
})

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
