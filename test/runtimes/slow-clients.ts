/**
 * Starts a listener on this runtime and clients that never finish, and prints `{name: status}` of each as JSON.
 * runtimes.test.ts runs it on Node and on Deno, because each runtime implements its time limits differently.
 */
import { connect } from 'node:net'
import process from 'node:process'
import { listen } from '#node/listener/listen.ts'

const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

/** What each client sends first, and what it keeps sending slowly. */
const CLIENTS: Readonly<Record<string, readonly [first: string, drip: string]>> = {
  'sends nothing': ['', ''],
  'stops within its headers': ['GET / HTTP/1.1\r\nHost: x\r\n', ''],
  'drips headers': ['GET / HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n'],
  'drips a body': [`${POST}Content-Length: 10000\r\n\r\n`, 'x'],
  'drips a chunked body': [`${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'],
  'takes long over a body, but keeps a pace': [
    `${POST}Content-Length: 20000\r\n\r\n`,
    'x'.repeat(1_000),
  ],
  'sends headers beyond the limit': [`GET / HTTP/1.1\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`, ''],
}

const GIVE_UP_MS = 15_000
const DRIP_MS = 100

const listener = await listen(
  { host: '127.0.0.1', port: 0 },
  async (request) => {
    await request.text()
    return new Response('whole')
  },
  {
    headersMs: 500,
    requestMs: 1_000,
    bodyBytesPerS: 2_000,
    wholeMs: 60_000,
    readMs: 60_000,
    checkEveryMs: 200,
  },
)

/** Resolves with the status with which the server cut the client off, or with `open` if it did not. */
const outlast = ([first, drip]: readonly [string, string]): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
    let answer = ''
    const dripping = setInterval(() => {
      if (drip !== '' && socket.writable) socket.write(drip)
    }, DRIP_MS)
    const end = (told: string): void => {
      clearInterval(dripping)
      clearTimeout(givingUp)
      socket.destroy()
      resolve(told)
    }
    const givingUp = setTimeout(() => end('open'), GIVE_UP_MS)
    socket.on('data', (bytes) => {
      answer += String(bytes)
    })
    // the end of the connection may arrive as a reset
    socket.on('error', () => undefined)
    socket.on('close', () => end(answer.split(' ')[1] ?? 'cut'))
    socket.write(first)
  })

const told = await Promise.all(
  Object.entries(CLIENTS).map(async ([name, sent]) => [name, await outlast(sent)] as const),
)
const others = await fetch(listener.url, { method: 'POST', body: 'x' })
process.stdout.write(JSON.stringify({ ...Object.fromEntries(told), others: others.status }))
process.exit(0)
