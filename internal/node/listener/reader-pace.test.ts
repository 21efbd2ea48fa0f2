import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Listener, listen } from './listen.ts'

const PATIENCE = {
  headersMs: 10_000,
  requestMs: 10_000,
  bodyBytesPerS: 1,
  wholeMs: 60_000,
  readMs: 200,
  checkEveryMs: 20,
}
const PART = new Uint8Array(1_000_000)
/** Sent by one write, and more than the system takes at once. */
const LARGE = new Uint8Array(48_000_000)

let listener: Listener
let canceled: string[]
const clients: Socket[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await listener.stop()
})

/** Opens a listener that sends without end at /endless, and nothing more after a first byte at /quiet. */
const open = async (most = 100, readMs = PATIENCE.readMs): Promise<void> => {
  canceled = []
  const answer = (request: Request): Response => {
    const { pathname } = new URL(request.url)
    if (pathname === '/') return new Response('fine')
    if (pathname === '/large') return new Response(LARGE)
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(PART.subarray(0, 1)),
      pull: (controller) =>
        pathname === '/endless' ? controller.enqueue(PART) : new Promise(() => undefined),
      cancel: () => void canceled.push(pathname),
    })
    return new Response(body)
  }
  listener = await listen({ host: '127.0.0.1', port: 0, most }, answer, { ...PATIENCE, readMs })
}

const get = async (path: string): Promise<Socket> => {
  const socket = connect(listener.port, '127.0.0.1')
  socket.on('error', () => undefined)
  clients.push(socket)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return socket
}

test('a client that does not read its response is cut off', async () => {
  await open()
  await get('/endless')
  await expect.poll(() => canceled, { timeout: 10_000 }).toEqual(['/endless'])
})

test('so is one that does not read the response to a later request', async () => {
  await open()
  const client = await get('/')
  client.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => canceled, { timeout: 10_000 }).toEqual(['/endless'])
})

test('a client that reads, and one for which nothing waits, are not', async () => {
  await open()
  const quiet = (await get('/quiet')).resume()
  const reading = (await get('/endless')).resume()
  await get('/endless')
  await expect.poll(() => canceled, { timeout: 10_000 }).toEqual(['/endless'])
  expect([quiet.destroyed, reading.destroyed]).toEqual([false, false])
})

test('a client that reads a large response slowly is not', async () => {
  const readMs = 1_000
  await open(100, readMs)
  const client = await get('/large')
  let received = 0
  client.on('data', ({ length }) => {
    received += length
    client.pause()
    setTimeout(() => client.resume(), 5)
  })
  await once(client, 'data')
  const begun = performance.now()
  await expect.poll(() => received, { timeout: 30_000 }).toBeGreaterThan(LARGE.length)
  expect(performance.now() - begun).toBeGreaterThan(2 * readMs)
})

test('at the limit of connections a new one displaces one whose client does not read', async () => {
  await open(2)
  const reading = (await get('/endless')).resume()
  await get('/endless')
  await expect
    .poll(
      async () => {
        const socket = await get('/')
        const answer = await Promise.race([once(socket, 'data'), once(socket, 'close')])
        return String(answer[0]).slice(0, 12)
      },
      { timeout: 10_000 },
    )
    .toBe('HTTP/1.1 200')
  expect(reading.destroyed).toBe(false)
})
