import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { countTurns } from '../../../test/support/count-turns.ts'
import { portOf } from '../../../test/support/port-of.ts'
import { type Listener, listen } from './listen.ts'
import { oneAtATime } from './one-at-a-time.ts'

let listener: Listener | undefined
let socket: Socket
const open = async (handler: Parameters<typeof listen>[1]): Promise<void> => {
  listener = await listen({ host: '127.0.0.1', port: 0 }, handler)
  socket = connect(listener.port, '127.0.0.1')
  socket.on('error', () => undefined)
}
afterEach(async () => {
  socket.destroy()
  await listener?.stop()
  listener = undefined
})

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

test('requests that arrive together are handled in order, each in a turn of the event loop', async () => {
  const startedIn: number[] = []
  const paths = Array.from({ length: 200 }, (_, at) => `/${at}`)
  const { result: received } = await countTurns(async (turnsSoFar) => {
    await open((request) => {
      startedIn.push(turnsSoFar())
      return new Response(`[${new URL(request.url).pathname}]`)
    })
    socket.write(`${paths.map(get).join('')}${LAST}`)
    return await text(socket)
  })
  expect(received.match(/\[[^\]]*\]/g)).toEqual([...paths, '/last'].map((path) => `[${path}]`))
  expect(new Set(startedIn).size).toBe(startedIn.length)
})

test('requests with bodies that arrive together get their own', async () => {
  await open(async (request) => new Response(`[${await request.text()}]`))
  const post = (body: string): string =>
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const bodies = Array.from({ length: 100 }, (_, at) => `${at}${'x'.repeat(2_000)}`)
  socket.write(`${bodies.map(post).join('')}${LAST}`)
  const received = await text(socket)
  expect(received.match(/\[[^\]]*\]/g)).toEqual([...bodies, ''].map((body) => `[${body}]`))
})

test('a connection is read no faster than its requests are handled, and all are answered', async () => {
  let arrived = 0
  let handled = 0
  let mostWaiting = 0
  const server = createServer()
  server.on('request', () => {
    arrived += 1
    mostWaiting = Math.max(mostWaiting, arrived - handled)
  })
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await text(request)
    handled += 1
    response.end('[]')
  }
  server.on(
    'request',
    oneAtATime(server, (request, response) => void handle(request, response)),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  socket = connect(portOf(server), '127.0.0.1')
  const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx'
  socket.write(`${post.repeat(4_000)}${LAST}`)
  expect((await text(socket)).match(/\[\]/g)).toHaveLength(4_001)
  // 64, and those of the part that was being read
  expect(mostWaiting).toBeLessThan(66 + 4_096 / post.length)
  server.close()
})

test('rubbish after a request that is being handled gets no response in its place', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await open(async () => {
    resolve()
    await new Promise<never>(() => undefined)
    return new Response()
  })
  const received = text(socket)
  socket.write(get('/'))
  await promise
  socket.write('RUBBISH\r\n\r\n')
  expect(await received).toBe('')
})

test('nor does rubbish after further requests get into a response', async () => {
  await open((request) =>
    new URL(request.url).pathname === '/streams'
      ? new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode('one')),
          }),
        )
      : new Promise<never>(() => undefined),
  )
  socket.write(`${get('/streams')}${get('/waits')}`)
  const [first] = await once(socket, 'data')
  socket.write('RUBBISH\r\n\r\n')
  expect(`${first}${await text(socket)}`.split('HTTP/1.1')).toHaveLength(2)
})

const HURRY = {
  headersMs: 50,
  requestMs: 5_000,
  bodyBytesPerS: 1,
  wholeMs: 9_000,
  readMs: 60_000,
  checkEveryMs: 10,
}

test('the part of a request behind one that svc handles has time, and then no more than others', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  listener = await listen(
    { host: '127.0.0.1', port: 0 },
    async (request) => {
      if (request.url.endsWith('/first')) await promise
      return new Response(`[${new URL(request.url).pathname}]`)
    },
    HURRY,
  )
  socket = connect(listener.port, '127.0.0.1')
  const received = text(socket)
  socket.write(`${get('/first')}GET /second HTTP/1.1\r\nHo`)
  // longer than the headers may take
  await new Promise((done) => setTimeout(done, 8 * HURRY.headersMs))
  socket.write(`st: x\r\n\r\nGET /third HTTP/1.1\r\n`)
  resolve()
  const answered = await received
  expect(answered.match(/\[[^\]]*\]/g)).toEqual(['[/first]', '[/second]'])
  expect(answered).toContain('HTTP/1.1 408')
})
