import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { connectionsWithin } from './connection-room.ts'
import { type Listener, listen } from './listen.ts'

const MOST = 4
const SPARE = 32
let listener: Listener
let asked: string[]
const clients: Socket[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await listener.stop()
})

/**
 * Opens a listener on which requests of /wait and /upload get no response until their connection ends. Requests count for the
 * workspace in `?ws=`, or else for their network; health checks for none.
 */
const open = async (): Promise<void> => {
  asked = []
  const never = new Promise<Response>(() => undefined)
  listener = await listen({ host: '127.0.0.1', port: 0, most: MOST }, (request, bindings) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/healthz') {
      const ws = searchParams.get('ws')
      const name = ws ?? request.headers.get('x-network') ?? '127.0.0.1'
      const isCounted = bindings.countConnection?.({ name, isKnown: ws !== null }) ?? false
      if (!isCounted) return new Response('full', { status: 503 })
    }
    asked.push(pathname)
    return ['/wait', '/upload'].includes(pathname) ? never : new Response('fine')
  })
}

const client = async (sent = ''): Promise<Socket> => {
  const socket = connect(listener.port, '127.0.0.1')
  socket.on('error', () => undefined)
  clients.push(socket)
  await once(socket, 'connect')
  if (sent !== '') socket.write(sent)
  return socket
}
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const answerTo = async (path: string): Promise<string> => {
  const socket = await client(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return text(socket)
}
/** Opens connections whose requests wait, one after the other. */
const waiters = async (count: number, query = ''): Promise<readonly Socket[]> => {
  const opened: Socket[] = []
  for (let left = count; left > 0; left -= 1) {
    const before = asked.length
    opened.push((await client(get(`/wait${query}`))).resume())
    await expect.poll(() => asked.length).toBe(before + 1)
  }
  return opened
}
const isEnded = ({ destroyed }: Socket): boolean => destroyed

test('a new connection displaces the one that is idle longest', async () => {
  await open()
  const first = await client()
  const ended = once(first.resume(), 'close')
  const others = [await client(), await client(), await client()].map((one) => one.resume())
  expect(await answerTo('/')).toMatch(/^HTTP\/1\.1 200 /)
  await ended
  expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false, false])
})

test('it displaces a connection that has been answered, and none that waits for a response', async () => {
  await open()
  await waiters(MOST - 1)
  const answered = await client(get('/'))
  await once(answered, 'data')
  const ended = once(answered.resume(), 'close')
  expect(await answerTo('/other')).toMatch(/^HTTP\/1\.1 200 /)
  await ended
  expect(clients.slice(0, MOST - 1).every(({ destroyed }) => !destroyed)).toBe(true)
})

test('it displaces the slowest of the requests that have not arrived', async () => {
  await open()
  await waiters(MOST - 2)
  const upload = 'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n'
  const fast = (await client(`${upload}${'a'.repeat(5_000)}`)).resume()
  const slow = await client(upload)
  await expect.poll(() => asked.length).toBe(MOST)
  const ended = once(slow.resume(), 'close')
  expect(await answerTo('/')).toMatch(/^HTTP\/1\.1 200 /)
  await ended
  expect(fast.destroyed).toBe(false)
})

test('while all wait for responses, others get 503, and health checks are answered', async () => {
  await open()
  await waiters(MOST)
  const refused = await answerTo('/')
  expect(refused).toMatch(/^HTTP\/1\.1 503 /)
  expect(await answerTo('/healthz')).toMatch(/^HTTP\/1\.1 200 /)
  for (const one of clients) one.destroy()
  await expect.poll(() => answerTo('/')).toMatch(/^HTTP\/1\.1 200 /)
})

test('health checks are answered while idle connections arrive beyond the spare ones', async () => {
  await open()
  await waiters(MOST)
  for (let count = 0; count < SPARE * 2; count += 1) await client()
  expect(await answerTo('/healthz')).toMatch(/^HTTP\/1\.1 200 /)
})

test('a workspace that holds few displaces the longest request of the one that holds most', async () => {
  await open()
  const [longest, ...others] = await waiters(MOST, '?ws=a')
  const [newcomer] = await waiters(1, '?ws=b')
  await expect.poll(() => longest?.destroyed).toBe(true)
  expect([...others, newcomer].map((one) => one?.destroyed)).toEqual([false, false, false, false])
})

test('a workspace with as many as any other displaces none', async () => {
  await open()
  const held = [...(await waiters(MOST / 2, '?ws=a')), ...(await waiters(MOST / 2, '?ws=b'))]
  expect(await answerTo('/?ws=a')).toMatch(/^HTTP\/1\.1 503 /)
  expect(held.some(isEnded)).toBe(false)
  expect(await answerTo('/?ws=c')).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(() => held.filter(isEnded).length).toBe(1)
})

test('a caller without a credential displaces a workspace, and a network that holds most is displaced', async () => {
  await open()
  const held = await waiters(MOST, '?ws=a')
  expect(await answerTo('/')).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(() => held.filter(isEnded).length).toBe(1)
  const [anonymous] = await waiters(1)
  const [known] = await waiters(1, '?ws=b')
  expect([anonymous?.destroyed, known?.destroyed]).toEqual([false, false])
})

test('a body that arrives from a caller with a credential is not displaced as a slow one', async () => {
  await open()
  await waiters(MOST - 2, '?ws=a')
  const upload = (query: string) =>
    `POST /upload${query} HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n`
  const known = (await client(upload('?ws=b'))).resume()
  const unknown = (await client(`${upload('')}${'a'.repeat(5_000)}`)).resume()
  await expect.poll(() => asked.length).toBe(MOST)
  expect(await answerTo('/?ws=c')).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(() => unknown.destroyed).toBe(true)
  expect(known.destroyed).toBe(false)
})

test('a connection counts for the network of its peer again once its response was sent', async () => {
  await open()
  const answered = (await client(get('/?ws=a'))).resume()
  await expect.poll(() => asked.length).toBe(1)
  const held = await waiters(MOST - 1, '?ws=a')
  const [newcomer] = await waiters(1, '?ws=a')
  await expect.poll(() => answered.destroyed).toBe(true)
  expect([...held, newcomer].some((one) => one?.destroyed)).toBe(false)
})

test('half of few file descriptors, and 4,096 of many, are kept for other uses', () => {
  const limits = (descriptors: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${descriptors}  9  files\n`
  expect(connectionsWithin(limits('256'))).toBe(128)
  expect(connectionsWithin(limits('1048576'))).toBe(1_044_480)
  expect(connectionsWithin(limits('unlimited'))).toBe(Number.POSITIVE_INFINITY)
})
