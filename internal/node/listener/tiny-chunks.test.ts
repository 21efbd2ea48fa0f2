import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { readBody } from '#http/bodies/request-body.ts'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { type Listener, listen } from './listen.ts'

let listener: Listener
afterEach(() => listener.stop())

const LIMIT = 1_048_576
const CHUNKS = 60_000
const AT_ONCE = 10
const BODY = 'x'.repeat(CHUNKS)
const HEAD = 'Host: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
const SENT = Buffer.from(`${HEAD}${'1\r\nx\r\n'.repeat(CHUNKS)}0\r\n\r\n`)

/** Sends a body in chunks of one byte. @returns the response */
const send = (path: string): Promise<string> => {
  const socket = connect(listener.port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\n`)
  socket.write(SENT)
  return text(socket)
}

test.each([
  ['read', 200, BODY],
  ['refused', 404, 'no'],
])(
  'bodies in chunks of one byte do not hold up the node when they are %s',
  async (path, status, body) => {
    listener = await listen({ host: '127.0.0.1', port: 0 }, async (request) => {
      if (!request.url.endsWith('/read')) return new Response('no', { status: 404 })
      const { bytes } = await readBody(request, 'raw', { limit: LIMIT, isKnown: true })
      return new Response(bytes)
    })
    const longestMs = await leastLongestTurnMs(async () => {
      const all = await Promise.all(Array.from({ length: AT_ONCE }, () => send(`/${path}`)))
      for (const answer of all) {
        expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
        expect(answer.endsWith(`\r\n\r\n${body}`)).toBe(true)
      }
    })
    expect(longestMs).toBeLessThan(50)
  },
)
