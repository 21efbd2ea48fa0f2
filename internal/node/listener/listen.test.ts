import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

/** Blocks the event loop, as a busy machine does. */
const block = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('requests that came before the stop are answered, though their connections were not accepted yet', async () => {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('fine'))
  const clients = Array.from({ length: 8 }, () =>
    spawn('curl', ['--silent', '--show-error', listener.url]),
  )
  const answers = clients.map((client) => text(client.stdout))
  await Promise.all(clients.map((client) => once(client, 'spawn')))
  block(500)
  await listener.stop()
  expect(await Promise.all(answers)).toEqual(clients.map(() => 'fine'))
})

/** @returns the longest time until one of many connections, opened at once, is accepted, in milliseconds */
const longestConnectMs = async (url: string, count: number): Promise<number> => {
  const start = performance.now()
  const sockets = Array.from({ length: count }, () =>
    connect(Number(new URL(url).port), '127.0.0.1'),
  )
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const ms = performance.now() - start
  for (const socket of sockets) socket.destroy()
  return ms
}

test('connections that are opened at once are all accepted at the first attempt', async () => {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('fine'))
  const tries: number[] = []
  // a busy machine delays some tries; those that the kernel has dropped take a second at least in each
  for (let left = 3; left > 0; left -= 1) tries.push(await longestConnectMs(listener.url, 900))
  await listener.stop()
  expect(Math.min(...tries)).toBeLessThan(1_000)
})

test.each(['h2c', 'websocket'])(
  'a request that offers an upgrade to %s is answered',
  async (to) => {
    const listener = await listen(
      { host: '127.0.0.1', port: 0 },
      async (asked) => new Response(`${asked.method} ${await asked.text()}`),
    )
    listener.upgradeWith(/^\/other$/, (_, socket) => socket.destroy())
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: to, 'http2-settings': '' }
    const sent = request(`${listener.url}/path`, { method: 'POST', headers })
    sent.end('body')
    const [answer] = await once(sent, 'response')
    expect(await text(answer)).toBe('POST body')
    await listener.stop()
  },
)

test('only a GET becomes a WebSocket', async () => {
  const listener = await listen(
    { host: '127.0.0.1', port: 0 },
    ({ method }) => new Response(method),
  )
  listener.upgradeWith(/^\/socket$/, (_, socket) => socket.destroy())
  const headers = { connection: 'Upgrade', upgrade: 'websocket' }
  const sent = request(`${listener.url}/socket`, { method: 'POST', headers })
  const [answer] = await once(sent.end(), 'response')
  expect(await text(answer)).toBe('POST')
  await listener.stop()
})

/** Sends bytes as they are. @returns status line, headers and body of what comes back until the server closes */
const exchange = async (url: string, sent: string) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(sent)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), id: /x-request-id: (\S+)/i.exec(head)?.[1], body }
}

const CHUNKS = '\r\nConnection: close\r\n\r\n1\r\nx\r\n0\r\n\r\n'

test.each([
  [400, 'malformed_request', 'RUBBISH\r\n\r\n'],
  [400, 'malformed_request', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
  [400, 'malformed_request', 'GET /a\\b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  [400, 'malformed_request', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  [400, 'malformed_request', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
  [
    400,
    'malformed_request',
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked${CHUNKS}`,
  ],
  [400, 'malformed_request', `POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked${CHUNKS}`],
  [431, 'headers_too_large', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
])(
  'a request that cannot be read gets %d with the body of all errors',
  async (status, code, sent) => {
    const listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('fine'))
    const answer = await exchange(listener.url, sent)
    await listener.stop()
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toEqual({
      error: expect.stringMatching(/\.$/),
      code,
      request_id: answer.id,
    })
  },
)

test('rubbish after the head of a response does not get into it', async () => {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, () => {
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('one')),
    })
    return new Response(endless)
  })
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [first] = await once(socket, 'data')
  socket.write('RUBBISH\r\n\r\n')
  const rest = await text(socket)
  await listener.stop()
  expect(`${first}${rest}`).toMatch(/^HTTP\/1\.1 200 /)
  expect(rest).not.toContain('HTTP/1.1')
})

test('a request of HTTP/1.0 needs no Host', async () => {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('fine'))
  const answer = await exchange(listener.url, 'GET /healthz HTTP/1.0\r\n\r\n')
  await listener.stop()
  expect(answer).toMatchObject({ status: 200, body: 'fine' })
})

test('a request that expects something unknown is answered as if it did not', async () => {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('fine'))
  const sent = 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n'
  expect(await exchange(listener.url, sent)).toMatchObject({ status: 200, body: 'fine' })
  await listener.stop()
})

test('connections stay open for longer than a proxy keeps them, and a stop closes them', async () => {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('fine'))
  const socket = connect(listener.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^Keep-Alive: timeout=72$/im)
  await Promise.all([once(socket, 'close'), listener.stop()])
})
