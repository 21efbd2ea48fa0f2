import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { portOf } from '../../../test/support/port-of.ts'
import { oneAtATime } from './one-at-a-time.ts'

let server: Server
let socket: Socket
const open = async (handle: RequestListener): Promise<void> => {
  server = createServer()
  server.on('request', oneAtATime(server, handle))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  socket = connect(portOf(server), '127.0.0.1')
  socket.on('error', () => undefined)
}
afterEach(() => {
  socket.destroy()
  server.close()
})

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

test('of requests that arrive together, node:http creates a few hundred at once', async () => {
  let arrived = 0
  let handled = 0
  let mostWaiting = 0
  await open((_, response) => {
    handled += 1
    response.end('[]')
  })
  server.on('request', () => {
    arrived += 1
    mostWaiting = Math.max(mostWaiting, arrived - handled)
  })
  socket.write(`${GET.repeat(5_000)}${LAST}`)
  expect((await text(socket)).match(/\[\]/g)).toHaveLength(5_001)
  expect(mostWaiting).toBeLessThan(64 + 4_096 / GET.length)
})

test('a body that arrives with the next request is read whole', async () => {
  await open(async (request, response) => void response.end(`[${await text(request)}]`))
  const body = '0123456789'.repeat(100_000)
  const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  socket.write(`${post}${post}${LAST}`)
  expect((await text(socket)).match(/\[\d*\]/g)).toEqual([`[${body}]`, `[${body}]`, '[]'])
})

test('a client that reads its responses late gets them all', async () => {
  const large = 'x'.repeat(200_000)
  await open((_, response) => void response.end(`[${large}]`))
  socket.pause()
  for (let at = 0; at < 5; at += 1) {
    socket.write(GET.repeat(60))
    await new Promise((done) => setTimeout(done, 20))
  }
  socket.write(LAST)
  expect((await text(socket)).match(/\[x+\]/g)).toHaveLength(301)
})

const UPGRADE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'

test('an upgraded connection is no longer read as HTTP', async () => {
  await open(() => undefined)
  server.on('upgrade', (_, upgraded: Socket, head: Buffer) => {
    upgraded.unshift(head)
    upgraded.on('data', (data) => upgraded.write(`[${data}]`))
  })
  socket.write(`${UPGRADE}one`)
  expect(String((await once(socket, 'data'))[0])).toBe('[one]')
  socket.write(GET)
  expect(String((await once(socket, 'data'))[0])).toBe(`[${GET}]`)
})

test('a client that sends much before its upgrade is answered loses the connection', async () => {
  await open(() => undefined)
  server.on('upgrade', (_, upgraded: Socket) => void upgraded.on('data', () => undefined))
  socket.write(`${UPGRADE}${'x'.repeat(60_000)}`)
  await once(socket, 'close')
})
