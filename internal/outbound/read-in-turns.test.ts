import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer, request } from 'node:https'
import { createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { leastLongestTurnMs } from '../../test/support/longest-turn.ts'
import { portOf } from '../../test/support/port-of.ts'
import { TLS_CERT, TLS_KEY } from '../../test/support/tls-pair.ts'
import { createFetchDocument } from './fetch-document.ts'
import { createPostTo } from './post-to.ts'
import { readInTurns } from './read-in-turns.ts'
import { openConnections, requestAt } from './request-at.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const opened = async <S extends Server>(server: S): Promise<number> => {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return portOf(server)
}

/** Opens a server that sends these bytes to each client. */
const sending = (bytes: Buffer): Promise<number> =>
  opened(
    createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(bytes))
    }),
  )

const post = createPostTo({
  resolve: async () => ['127.0.0.1'],
  isReserved: async () => false,
  timeoutMs: 5_000,
})

const postTo = (port: number): Promise<number> => {
  const place = `receiver.example:${port}`
  return post({ url: `http://${place}/`, headers: {}, body: '{}', grants: [place] })
}

const AT_ONCE = 20
const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const CHUNKS = 300_000

test.each([
  ['interim responses without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(40_000), 'rejected'],
  ['a body in chunks of one byte', `${HEAD}${'1\r\nx\r\n'.repeat(CHUNKS)}`, 'fulfilled'],
] as const)('receivers that send %s do not hold up the node', async (_what, sent, end) => {
  const port = await sending(Buffer.from(sent))
  const longestMs = await leastLongestTurnMs(async () => {
    const all = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => postTo(port)))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => end))
  })
  expect(longestMs).toBeLessThan(50)
})

test('a server that sends interim responses without end is left at once', async () => {
  const port = await sending(Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(40_000)))
  await expect(postTo(port)).rejects.toThrow('The server sends no response.')
})

test('a document arrives whole in chunks of one byte, and in turns', async () => {
  const document = `%PDF-1.7${'x'.repeat(CHUNKS)}`
  const chunks = [...document].map((byte) => `1\r\n${byte}\r\n`).join('')
  const port = await sending(Buffer.from(`${HEAD}${chunks}0\r\n\r\n`))
  const fetchDocument = createFetchDocument({ allow: [`127.0.0.1:${port}`] })
  const longestMs = await leastLongestTurnMs(async () => {
    const found = await fetchDocument(`http://127.0.0.1:${port}/`)
    expect(found.kind === 'file' && Buffer.from(found.bytes).toString()).toBe(document)
  })
  expect(longestMs).toBeLessThan(50)
})

const LARGE = 'a'.repeat(3_000_000)

test('requests share a connection that stays open', async () => {
  const ports = new Set<number | undefined>()
  const server = createHttpServer((incoming, response) => {
    ports.add(incoming.socket.remotePort)
    response.end(LARGE)
  })
  const url = new URL(`http://127.0.0.1:${await opened(server)}/`)
  const connections = openConnections()
  for (let at = 0; at < 3; at += 1) {
    const { signal } = new AbortController()
    const answer = await requestAt(url, '127.0.0.1', { signal, headers: {}, connections })
    expect((await text(answer)).length).toBe(LARGE.length)
  }
  expect(ports.size).toBe(1)
  connections.close()
})

test('responses over TLS arrive whole', async () => {
  const server = createHttpsServer({ key: TLS_KEY, cert: TLS_CERT }, (_, response) => {
    response.end(LARGE)
  })
  const options = { port: await opened(server), host: '127.0.0.1', rejectUnauthorized: false }
  const sent = request({ ...options, agent: false })
  readInTurns(sent)
  sent.end()
  const [answer] = await once(sent, 'response')
  expect((await text(answer)).length).toBe(LARGE.length)
})
